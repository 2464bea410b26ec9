/**
 * A child process that speaks JSON-RPC, one message per line, over its standard input and output. Nothing it writes can
 * break the caller: lines that are not messages, unknown methods and answers to unknown questions are ignored.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { type ProcessIdentity, processIdentity, startFailure, startProgram } from "@bough/session/log/index.js";
import { firstWords, isRecord, parsedJson } from "@bough/session/text/index.js";
import { stopGroup } from "../tool/internal.js";
import { DriverError } from "./driver-error.js";

export interface RpcChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly title: string;
  /** How to get the program. */
  readonly install?: string | undefined;
  readonly onNotification: (method: string, params: unknown) => void;
  /** The child waits for the result. Undefined: the method is not supported. */
  readonly onRequest: (method: string, params: unknown) => Promise<unknown> | undefined;
  readonly onNotice: (message: string) => void;
  /** For Bough's own protocol, which sends events as `{ event }`. Default: they are ignored. */
  readonly onEvent?: (event: unknown) => void;
}

/** Longer lines are skipped. */
const MOST_LINE_BYTES = 32 << 20;
/** What is kept of standard error, for when the child fails. */
const ERROR_CHARACTERS = 4096;
/** Of what is shown of it. */
const MOST_SHOWN = 200;
export const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
/** How long a child may take to end by itself after its input was closed. */
const LEAVE_MS = 500;

/** The child answered with an error. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A request, a notification, or an answer. */
interface RpcMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class RpcChild {
  readonly process: ProcessIdentity;
  readonly #options: RpcChildOptions;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #lastId = 0;
  #pieces: Buffer[] = [];
  #size = 0;
  #isSkipping = false;
  #errors = "";
  #hasComplained = false;
  #ended: DriverError | undefined;
  #isClosing = false;

  /** Throws `agent-missing` or `agent-failed`. */
  static async start(options: RpcChildOptions): Promise<RpcChild> {
    const { command, cwd, env, title, install } = options;
    const [program = "", ...args] = command;
    // A group of its own, so that everything it starts ends with it.
    const child = startProgram({ program, cwd, env }, (found) =>
      spawn(found, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] }),
    );
    if (child.pid === undefined) {
      const [error] = await once(child, "error");
      const why = startFailure(error, { program, cwd, env });
      throw new DriverError("agent-missing", `Could not start ${title}: ${why}`, {
        data: { program },
        hint: install ?? "Check the command.",
        cause: error,
      });
    }
    return new RpcChild(options, child, child.pid);
  }

  private constructor(options: RpcChildOptions, child: ChildProcessWithoutNullStreams, pid: number) {
    this.#options = options;
    this.#child = child;
    this.process = processIdentity(pid);
    child.on("error", () => undefined);
    // A child that is gone is noticed by its exit.
    child.stdin.on("error", () => undefined);
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString("utf8")).slice(-ERROR_CHARACTERS);
    });
    child.on("exit", () => void this.#endGroup());
    this.#exited = new Promise((resolve) => {
      // After `close`, all output has been read.
      child.on("close", async (code: number | null, signal: NodeJS.Signals | null) => {
        // What it started may still write its transcript.
        await stopGroup(pid);
        this.#end(code, signal);
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    const { exitCode, signalCode } = this.#child;
    return this.#ended === undefined && !this.#isClosing && exitCode === null && signalCode === null;
  }

  /** Rejects with `RpcFailure`, `agent-failed` if the child ends, or the reason of the signal. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const onAbort = () => settle(() => reject(signal?.reason as Error));
      const settle = (how: () => void) => {
        this.#waiting.delete(id);
        signal?.removeEventListener("abort", onAbort);
        how();
      };
      this.#waiting.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Ends the child and its group: politely, then by force. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#child.stdin.end();
    const timer = new AbortController();
    await Promise.race([this.#exited, pause(LEAVE_MS, timer.signal)]);
    timer.abort();
    // Also what it has left running.
    await this.#endGroup();
    await this.#exited;
  }

  /**
   * The program may only be a wrapper, whose child works on and keeps the pipes open: without the wrapper, no one hears
   * it.
   */
  async #endGroup(): Promise<void> {
    await stopGroup(this.process.pid);
    // What it said before was read by then, unless a process left the group and still holds the pipes.
    const timer = new AbortController();
    await Promise.race([this.#exited, pause(LEAVE_MS, timer.signal)]);
    timer.abort();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #send(message: RpcMessage): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#line();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    if (this.#isSkipping) return;
    this.#size += piece.length;
    this.#pieces.push(piece);
    if (this.#size <= MOST_LINE_BYTES) return;
    this.#isSkipping = true;
    // The start says which question it answers. A copy, so that the rest is not kept with it.
    this.#pieces = [Buffer.from(Buffer.concat(this.#pieces).subarray(0, 256))];
  }

  #line(): void {
    const bytes = Buffer.concat(this.#pieces);
    const wasSkipped = this.#isSkipping;
    this.#pieces = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (wasSkipped) {
      this.#tooLong(bytes.toString("latin1", 0, 256));
      return;
    }
    const text = bytes.toString("utf8");
    if (text.trim() === "") return;
    const message = parsedJson(text);
    if (!isRecord(message)) {
      this.#complain(`printed something that is not a message: ${firstWords(text, MOST_SHOWN)}`);
      return;
    }
    const { id, method } = message;
    if (typeof method === "string") {
      if (id === undefined || id === null) this.#options.onNotification(method, message.params);
      else void this.#answer(id, method, message.params);
      return;
    }
    if (message.event !== undefined && id === undefined) {
      this.#options.onEvent?.(message.event);
      return;
    }
    // An answer to a question that was never asked, or was answered before, changes nothing.
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return;
    if (isRecord(message.error)) {
      const { code, message: words, data } = message.error;
      waiting.reject(new RpcFailure(Number(code), typeof words === "string" ? words : "unknown error", data));
    } else waiting.resolve(message.result);
  }

  #tooLong(start: string): void {
    this.#complain(`sent a message of more than ${MOST_LINE_BYTES >> 20} MB, which was skipped`);
    const id = /"method"\s*:/.test(start) ? undefined : /"id"\s*:\s*(\d+)/.exec(start)?.[1];
    this.#waiting.get(Number(id))?.reject(new RpcFailure(INTERNAL_ERROR, "the answer is too large", undefined));
  }

  async #answer(id: unknown, method: string, params: unknown): Promise<void> {
    try {
      const answer = this.#options.onRequest(method, params);
      if (answer === undefined) {
        this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } });
      } else this.#send({ id, result: await answer });
    } catch {
      this.#send({ id, error: { code: INTERNAL_ERROR, message: "Internal error" } });
    }
  }

  /** Said once; a program that prints to its output does it often. */
  #complain(what: string): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#options.onNotice(`${this.#options.title} ${what}`);
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
    const last = this.#errors.trim().split("\n").at(-1) ?? "";
    this.#ended = new DriverError("agent-failed", `${this.#options.title} ${how}`, {
      data: { code, signal },
      hint: last === "" ? "Send the prompt again to restart it." : `Its last words: ${firstWords(last, MOST_SHOWN)}`,
    });
    for (const waiting of [...this.#waiting.values()]) waiting.reject(this.#ended);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
