/** Which agents could drive a session on this machine. */
import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { attempt, errorText } from "@bough/session/text/index.js";
import { acpDriver } from "./acp-driver.js";
import type { NativeFacts, OpenDriver } from "./driver.js";
import { DriverError } from "./driver-error.js";
import type { KnownAgent } from "./known-agents.js";

export type AgentState =
  | { readonly kind: "missing" }
  /** Its program was found, and not started. */
  | { readonly kind: "installed"; readonly path: string }
  /** It started, and created a session. Some agents notice only with the first prompt that no one is logged in. */
  | { readonly kind: "ready"; readonly path: string; readonly version: string | undefined }
  | { readonly kind: "login"; readonly path: string; readonly version: string | undefined }
  | { readonly kind: "failed"; readonly path: string; readonly reason: string };

interface StatusOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Of the program that asks. */
  readonly version: string;
  /** Start it, and ask it for an empty session in an empty folder. */
  readonly start: boolean;
  readonly signal: AbortSignal;
}

const START_MS = 30_000;

/** Never rejects, except with the reason of the signal. */
export async function agentState(agent: KnownAgent, options: StatusOptions): Promise<AgentState> {
  const { env, start, signal } = options;
  const path = programPath(agent.command[0] ?? "", env);
  if (path === undefined) return { kind: "missing" };
  if (!start) return { kind: "installed", path };
  const cwd = mkdtempSync(join(tmpdir(), "bough-agent-"));
  let open: OpenDriver | undefined;
  try {
    const driver = acpDriver({
      ...agent,
      env,
      version: options.version,
      limits: { start: START_MS, create: START_MS },
    });
    open = await driver.open({ cwd, env, signal, onNotice: () => {} });
    const { version } = open;
    const made: NativeFacts | DriverError = await open.create({ signal }).catch((error: unknown) => {
      if (error instanceof DriverError && error.code === "agent-login") return error;
      throw error;
    });
    return { kind: made instanceof DriverError ? "login" : "ready", path, version };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "failed", path, reason: errorText(error) };
  } finally {
    await open?.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Whether its program is on PATH. */
export function isInstalled({ command }: Pick<KnownAgent, "command">, env: NodeJS.ProcessEnv): boolean {
  return programPath(command[0] ?? "", env) !== undefined;
}

function programPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = program.includes("/") ? [""] : (env.PATH ?? "").split(delimiter);
  return folders
    .map((folder) => (isAbsolute(program) ? program : join(folder, program)))
    .find((path) => attempt(() => isProgram(path)) === true);
}

/** Throws if it is not there, or cannot be run. */
function isProgram(path: string): boolean {
  accessSync(path, constants.X_OK);
  return statSync(path).isFile();
}
