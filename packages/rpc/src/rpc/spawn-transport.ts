/**
 * Starts a program to connect to. Looks up Node's modules at run time, so that bundlers for browsers do not see them.
 */
import { RpcError } from "./rpc-error.js";
import type { RpcTransport } from "./transport.js";

/** Which program to start, and how. */
export interface SpawnOptions {
  /** Default: the program in this package. */
  readonly command?: string;
  /** Flags in addition to `--mode rpc`: `["--continue", "--model", "offline/rules"]`. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives the program's messages to people. Default: they go to standard error. */
  readonly onStderr?: (text: string) => void;
}

interface Runtime {
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: "node:child_process"): typeof import("node:child_process");
  getBuiltinModule?(name: "node:url"): typeof import("node:url");
}

/** Starts the program. Throws if processes are not available, as in a browser. */
export function spawnTransport(options: SpawnOptions = {}): RpcTransport {
  const runtime = (globalThis as { readonly process?: Runtime }).process;
  const children = runtime?.getBuiltinModule?.("node:child_process");
  const urls = runtime?.getBuiltinModule?.("node:url");
  if (runtime === undefined || children === undefined || urls === undefined) {
    throw new RpcError({
      code: "no-processes",
      message: "Cannot start a program in this environment",
      hint: "Pass a transport: connect({ transport }).",
    });
  }
  // Every file of the package is one folder below dist/.
  const program = import.meta.url.replace(/[^/]+\/[^/]+$/, "cli/main.js");
  const own = [urls.fileURLToPath(program)];
  const [command, before] = options.command === undefined ? [runtime.execPath, own] : [options.command, []];
  const child = children.spawn(command, [...before, "--mode", "rpc", ...(options.args ?? [])], {
    cwd: options.cwd,
    env: { ...runtime.env, ...options.env },
    stdio: ["pipe", "pipe", options.onStderr === undefined ? "inherit" : "pipe"],
  });
  const { onStderr } = options;
  if (onStderr !== undefined) child.stderr?.setEncoding("utf8").on("data", onStderr);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  // Reading the output then fails with the reason.
  child.once("error", (cause) => child.stdout?.destroy(notStarted(command, cause)));
  // If the program has ended, the end of its output says so.
  child.stdin?.on("error", () => {});
  return {
    input: child.stdout as AsyncIterable<Uint8Array>,
    write: (text) => void child.stdin?.write(text),
    close: () => {
      child.stdin?.end();
      return ended;
    },
  };
}

function notStarted(command: string, cause: Error): RpcError {
  const error = new RpcError({ code: "not-started", message: `The program could not be started: ${command}` });
  error.cause = cause;
  return error;
}
