/** Starts the sandbox: finds the package, checks what it needs, and runs a command inside to be sure. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { errorText } from "@bough/session/text/index.js";
import { ToolFailure } from "../tool-failure.js";
import type { Blocked, OpenSandboxOptions, Sandbox, SandboxedCommand, SandboxState, WrapOptions } from "./sandbox.js";
import { sandboxPaths } from "./sandbox-paths.js";

const PACKAGE = "@anthropic-ai/sandbox-runtime";
const INSTALL = `Install it next to Bough: npm install -g ${PACKAGE}`;
const PROBE_LIMIT_MS = 20_000;

type Runtime = typeof import("@anthropic-ai/sandbox-runtime")["SandboxManager"];

/** There is one runtime for the whole process. */
let taken = false;
let wrapped = 0;

export function openSandbox(options: OpenSandboxOptions): Sandbox {
  return new RuntimeSandbox(options);
}

class RuntimeSandbox implements Sandbox {
  readonly #options: OpenSandboxOptions;
  readonly #started: Promise<Started>;
  #state: SandboxState | undefined;
  #running = 0;
  #madeFolder = false;
  /** Remembers answers about hosts while commands run: a program that opens ten connections asks once. */
  #answers = new Map<string, Promise<boolean>>();

  constructor(options: OpenSandboxOptions) {
    this.#options = options;
    this.#started = this.#start().then((started) => {
      this.#state = started.state;
      return started;
    });
  }

  get state(): SandboxState | undefined {
    return this.#state;
  }

  readonly ready = async (): Promise<SandboxState> => (await this.#started).state;

  readonly wrap = async (command: string, { callId, signal }: WrapOptions): Promise<SandboxedCommand> => {
    const { state, runtime } = await this.#started;
    if (state.kind !== "on" || runtime === undefined) throw new ToolFailure("The sandbox is not available");
    this.#running += 1;
    this.#keepFolder();
    let open = true;
    wrapped += 1;
    // Call ids may repeat in another session; violations must not carry over.
    const id = `${wrapped}-${callId}`;
    const end = () => {
      if (!open) return;
      open = false;
      this.#running -= 1;
      if (this.#running > 0) return;
      this.#answers.clear();
      runtime.cleanupAfterCommand();
      this.#dropFolder();
    };
    try {
      return {
        line: await this.#line(runtime, command, { callId: id, signal }),
        finish: async () => {
          const blocked = runtime.getSandboxViolationStore().getViolationsForCommand(id);
          end();
          return [...new Set(blocked.map(({ line }) => line))].map(blockedOf);
        },
      };
    } catch (error) {
      end();
      throw new ToolFailure(`The sandbox could not be set up for this command: ${errorText(error)}`);
    }
  };

  readonly putBack = async (): Promise<void> => undefined;

  readonly close = async (): Promise<void> => {
    const { runtime } = await this.#started;
    if (runtime === undefined) return;
    taken = false;
    await runtime.reset().catch(() => undefined);
  };

  #line(runtime: Runtime, command: string, { callId, signal }: WrapOptions): Promise<string> {
    // On the same line as the command, so that line numbers in its messages stay correct.
    const inside = `export TMPDIR='${tmpdir().replaceAll("'", "'\\''")}'; ${command}`;
    const filesystem = this.#filesystem();
    return runtime.wrapWithSandbox(inside, undefined, { filesystem }, signal, {
      commandId: callId,
      commandText: command,
    });
  }

  /**
   * A blocked path must exist while a command runs; otherwise the runtime creates an empty file there, and a rule saved
   * in the meantime would not find its folder.
   */
  #keepFolder(): void {
    try {
      mkdirSync(join(this.#options.cwd, ".bough"));
      this.#madeFolder = true;
    } catch {
      // There already, or this folder is not ours to write.
    }
  }

  #dropFolder(): void {
    if (!this.#madeFolder) return;
    this.#madeFolder = false;
    try {
      rmdirSync(join(this.#options.cwd, ".bough"));
    } catch {
      // Something was kept in it meanwhile.
    }
  }

  #filesystem() {
    const rules = this.#options.paths?.() ?? { write: [], denyWrite: [], denyRead: [] };
    return sandboxPaths(this.#options, rules);
  }

  readonly #allowHost = ({ host, port }: { readonly host: string; readonly port: number | undefined }) => {
    const name = host.toLowerCase();
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    // Any failure while asking means no.
    const answer = this.#options.allowHost({ host: name, port }).catch(() => false);
    this.#answers.set(name, answer);
    return answer;
  };

  async #start(): Promise<Started> {
    if (taken) return unavailable("another session of this process uses the sandbox", "Close it first.");
    taken = true;
    let runtime: Runtime | undefined;
    try {
      ({ SandboxManager: runtime } = await import("@anthropic-ai/sandbox-runtime"));
      const missing = missingParts(runtime);
      if (missing !== undefined) return this.#giveUp(undefined, missing);
      const network = { allowedDomains: [], deniedDomains: [] };
      await runtime.initialize({ network, filesystem: this.#filesystem() }, this.#allowHost);
      removeSignalHandlers();
      const problem = await this.#probe(runtime);
      return problem === undefined ? { state: { kind: "on" }, runtime } : this.#giveUp(runtime, problem);
    } catch (error) {
      const isMissing = runtime === undefined && (error as { readonly code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
      const problem = isMissing
        ? { reason: `the package ${PACKAGE} is not installed`, fix: INSTALL }
        : { reason: errorText(error), fix: NAMESPACES_FIX };
      return this.#giveUp(runtime, problem);
    }
  }

  async #giveUp(runtime: Runtime | undefined, { reason, fix }: Problem): Promise<Started> {
    taken = false;
    await runtime?.reset().catch(() => undefined);
    return unavailable(reason, fix);
  }

  /** Runs a real command inside, because installed programs may still lack permission to create a sandbox. */
  async #probe(runtime: Runtime): Promise<Problem | undefined> {
    const line = await this.#line(runtime, "exit 0", { callId: "probe", signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
    const child = spawn("/bin/sh", ["-c", line], {
      cwd: this.#options.cwd,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: PROBE_LIMIT_MS,
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    runtime.cleanupAfterCommand();
    if (code === 0) return undefined;
    const first = said.trim().split("\n")[0] ?? "";
    return { reason: first === "" ? `a command inside it ended with ${code}` : first, fix: NAMESPACES_FIX };
  }
}

function blockedOf(line: string): Blocked {
  const host = /[\w.-]+:\d+/.exec(line)?.[0];
  return host === undefined
    ? { kind: "write", what: line, certain: true }
    : { kind: "network", what: host, certain: true };
}

interface Problem {
  readonly reason: string;
  readonly fix: string;
}

interface Started {
  readonly state: SandboxState;
  readonly runtime?: Runtime;
}

const NAMESPACES_FIX =
  process.platform === "linux"
    ? "Let bwrap create user namespaces: on Ubuntu 24.04 with an AppArmor profile for it (see docs/permissions.md), in a container with the options it is started with."
    : "Run `npx srt true` to see what is wrong.";

function unavailable(reason: string, fix: string): Started {
  return { state: { kind: "unavailable", reason, fix } };
}

function missingParts(runtime: Runtime): Problem | undefined {
  if (!runtime.isSupportedPlatform()) {
    return { reason: `there is none for ${process.platform}`, fix: "Use Linux (WSL 2 on Windows) or macOS." };
  }
  const { errors } = runtime.checkDependencies();
  if (errors.length === 0) return undefined;
  const fix =
    process.platform === "linux"
      ? "On Debian and Ubuntu: apt install bubblewrap socat ripgrep"
      : "On macOS: brew install ripgrep";
  return { reason: errors.join("; "), fix };
}

/** The runtime cleans up on SIGINT and SIGTERM with handlers that keep the process alive, so ours close it instead. */
function removeSignalHandlers(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    for (const listener of process.listeners(signal)) {
      if (listener.name === "cleanupHandler") process.off(signal, listener);
    }
  }
}
