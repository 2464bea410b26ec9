/** Keys that a command prints, such as `pass show openai`. */
import { execFile, execFileSync } from "node:child_process";
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
    const printed = attempt(() =>
      execFileSync("sh", ["-c", command], {
        timeout: AT_ONCE_MS,
        killSignal: "SIGKILL",
        stdio: ["ignore", "pipe", "ignore"],
        encoding: "utf8",
      }),
    );
    const key = printed === undefined ? undefined : onlyLine(printed);
    if (key !== undefined) this.#keys.set(command, key);
    return key;
  }

  async #run(provider: string, command: string): Promise<string> {
    const printed = await new Promise<string>((resolve, reject) => {
      // A command may ignore the polite signal.
      const killSignal = "SIGKILL";
      const options = { timeout: this.#patienceMs, killSignal, maxBuffer: MOST_BYTES, encoding: "utf8" } as const;
      const child = execFile("sh", ["-c", command], options, (error, stdout) => {
        if (error === null) resolve(stdout);
        else reject(failed(provider, this.#reasonOf(error)));
      });
      child.stdin?.end();
    });
    const key = onlyLine(printed);
    if (key === undefined) {
      const lines = printed.trim().split("\n").length;
      const what = printed.trim() === "" ? "nothing" : lines === 1 ? "control characters" : `${lines} lines`;
      throw failed(provider, `it printed ${what}`);
    }
    this.#keys.set(command, key);
    return key;
  }

  #reasonOf(error: Error & { readonly code?: unknown; readonly killed?: boolean }): string {
    if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it printed too much";
    if (error.killed === true) return `it did not end within ${this.#patienceMs / 1000} seconds`;
    return typeof error.code === "number" ? `it exited with ${error.code}` : "it could not be run";
  }
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
