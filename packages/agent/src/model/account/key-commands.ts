/** Keys that a command prints, such as `pass show openai`. */
import { spawn, spawnSync } from "node:child_process";
import { attempt } from "@bough/session/text/index.js";
import { ModelError } from "../model-error.js";

/** Long enough to touch a security key or to type a passphrase. */
const PATIENCE_MS = 60_000;
const AT_ONCE_MS = 10_000;
const MOST_BYTES = 64 << 10;

/** Runs each command until it succeeds once in this process: it may be slow, or ask for a fingerprint. */
export class KeyCommands {
  readonly #keys = new Map<string, string>();
  readonly #running = new Map<string, Promise<string>>();
  readonly #patienceMs: number;

  constructor({ patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {}) {
    this.#patienceMs = patienceMs;
  }

  /** Throws a `ModelError` that never contains what the command printed. Callers that come together share one run. */
  async key(provider: string, command: string): Promise<string> {
    const known = this.#keys.get(command);
    if (known !== undefined) return known;
    const running = this.#running.get(command) ?? this.#run(provider, command);
    this.#running.set(command, running);
    try {
      return await running;
    } finally {
      this.#running.delete(command);
    }
  }

  /** For callers that cannot wait. Undefined if the command fails. */
  keyAtOnce(command: string): string | undefined {
    const known = this.#keys.get(command);
    if (known !== undefined) return known;
    const stdio = ["ignore", "pipe", "ignore"] as const;
    const limits = {
      timeout: Math.min(AT_ONCE_MS, this.#patienceMs),
      killSignal: "SIGKILL",
      maxBuffer: MOST_BYTES,
    } as const;
    const { status, stdout, pid } = spawnSync("sh", ["-c", command], { ...GROUP, ...limits, stdio: [...stdio] });
    if (status !== 0) killGroup(pid);
    const printed = status === 0 ? stdout.toString("utf8") : undefined;
    const key = printed === undefined ? undefined : onlyLine(printed);
    if (key !== undefined) this.#keys.set(command, key);
    return key;
  }

  async #run(provider: string, command: string): Promise<string> {
    const outcome = await printedBy(command, this.#patienceMs);
    if (outcome.kind === "failed") throw failed(provider, outcome.reason);
    const { printed } = outcome;
    const key = onlyLine(printed);
    if (key === undefined) {
      const lines = printed.trim().split("\n").length;
      const what = printed.trim() === "" ? "nothing" : lines === 1 ? "control characters" : `${lines} lines`;
      throw failed(provider, `it printed ${what}`);
    }
    this.#keys.set(command, key);
    return key;
  }
}

type Outcome =
  | { readonly kind: "printed"; readonly printed: string }
  | { readonly kind: "failed"; readonly reason: string };

/** A process group of its own, so that programs which the command started can be stopped too. */
const GROUP = process.platform === "win32" ? {} : { detached: true };

/** Waits until nothing holds its output any more. A command that fails, prints too much or takes too long is killed. */
function printedBy(command: string, patienceMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], { ...GROUP, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
    const pieces: Buffer[] = [];
    let bytes = 0;
    // A command may ignore the polite signal.
    const kill = () => killGroup(child.pid);
    const end = (outcome: Outcome) => {
      clearTimeout(limit);
      process.off("exit", kill);
      if (outcome.kind === "failed") kill();
      child.stdout.destroy();
      resolve(outcome);
    };
    const fail = (reason: string) => end({ kind: "failed", reason });
    const limit = setTimeout(() => fail(`it did not end within ${patienceMs / 1000} seconds`), patienceMs);
    // It is not in the terminal's group, so Ctrl+C does not reach it.
    process.on("exit", kill);
    child.stdout.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MOST_BYTES) fail("it printed too much");
      else pieces.push(piece);
    });
    child.on("error", () => fail("it could not be run"));
    child.on("close", (code) => {
      if (code === 0) end({ kind: "printed", printed: Buffer.concat(pieces).toString("utf8") });
      else fail(code === null ? "it was stopped" : `it exited with ${code}`);
    });
  });
}

/** Does nothing if it has ended, or could not be started. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined || pid === 0) return;
  attempt(() => process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL"));
}

/** A key is one line without control characters, such as colors; anything else would be sent with the key. */
function onlyLine(printed: string): string | undefined {
  const text = printed.trim();
  return text === "" || /\p{Cc}/u.test(text) ? undefined : text;
}

function failed(provider: string, reason: string): ModelError {
  return new ModelError("key-command-failed", `The command for the key of ${provider} failed: ${reason}`, {
    data: { provider },
    hint: `Run the command of models.providers.${provider}.key yourself; it must print the key and nothing else.`,
  });
}
