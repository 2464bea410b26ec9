/** A server as a child process with JSON-RPC over standard input and output, one message per line. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import { startFailure, startProgram } from "@bough/session/log/index.js";
import { shortBytes, withoutControls } from "@bough/session/text/index.js";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { MAX_MESSAGE_BYTES } from "./message-limits.js";
import type { ServerLog } from "./server-log.js";

/** More messages than this within the window count as flooding. */
const MOST_MESSAGES = 10_000;
const WINDOW_MS = 5_000;
/** Limit for lines that are not messages: some servers print a greeting, but none has a reason for this many. */
const MOST_OTHER_LINES = 1_000;
const STOP_MS = 1_000;
/** Short, because many servers do not exit when their input ends, and closing waits for this. */
const EXIT_MS = 200;

interface ProcessTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly log: ServerLog;
  /** Parses a line; throws if it is not a message. */
  readonly parse: (line: string) => JSONRPCMessage;
}

/**
 * Kills the process, and everything it started, if it sends an oversized message, floods, or is closed. `ended` says
 * why it has ended.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the server has ended, as a clause. */
  ended: string | undefined;
  /** The first line that is not a message, which often explains why a server does not answer. */
  firstOther: string | undefined;
  readonly #options: ProcessTransportOptions;
  #child: ChildProcessWithoutNullStreams | undefined;
  #pieces: Buffer[] = [];
  #held = 0;
  #others = 0;
  #closing = false;
  #window = { from: 0, count: 0 };

  constructor(options: ProcessTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, log } = this.#options;
    // In its own process group, to kill its children with it, and so that Ctrl+C in the terminal does not reach it.
    const attempt = { program: command, cwd, env };
    const child = startProgram(attempt, (found) =>
      spawn(found, [...args], { env, cwd, stdio: "pipe", detached: process.platform !== "win32" }),
    );
    this.#child = child;
    const text = new StringDecoder("utf8");
    child.stderr.on("data", (chunk: Buffer) => log.write(text.write(chunk)));
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.on("close", (code, signal) => this.#closed(code, signal));
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        this.#child = undefined;
        const why = startFailure(error, attempt);
        this.ended ??= why;
        reject(new Error(why));
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === undefined) throw new Error(this.ended ?? "the server is not running");
    if (child.stdin.writable) {
      if (child.stdin.write(`${JSON.stringify(message)}\n`)) return;
      const isWritten = await Promise.race([once(child.stdin, "drain"), once(child, "close")]).then(
        () => true,
        () => false,
      );
      if (isWritten && this.ended === undefined) return;
    }
    // A server that exits closes its input first: wait for the exit code, which says more.
    await this.#exited(child);
    throw new Error(this.ended ?? "it no longer reads its standard input");
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#closing = true;
    if (child === undefined) return;
    child.stdin.end();
    if (await this.#exited(child, EXIT_MS)) return;
    this.#kill("SIGTERM");
    if (await this.#exited(child)) return;
    this.#kill("SIGKILL");
    await this.#exited(child);
  }

  /** Waits for the process to end, up to a limit. */
  async #exited(child: ChildProcessWithoutNullStreams, limitMs = STOP_MS): Promise<boolean> {
    if (this.#child !== child) return true;
    const closed = new Promise<true>((resolve) => child.once("close", () => resolve(true)));
    return Promise.race([closed, new Promise<false>((resolve) => setTimeout(resolve, limitMs, false).unref())]);
  }

  #take(chunk: Buffer): void {
    if (this.ended !== undefined || this.#closing) return;
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#pieces.push(chunk.subarray(from, end));
      const line = Buffer.concat(this.#pieces).toString("utf8").trim();
      this.#pieces = [];
      this.#held = 0;
      from = end + 1;
      if (line !== "") this.#line(line);
      if (this.ended !== undefined) return;
    }
    if (from === chunk.length) return;
    this.#pieces.push(chunk.subarray(from));
    this.#held += chunk.length - from;
    if (this.#held > MAX_MESSAGE_BYTES) this.#fail(`it sent a message of more than ${shortBytes(MAX_MESSAGE_BYTES)}`);
  }

  #line(line: string): void {
    if (line.length > MAX_MESSAGE_BYTES) {
      this.#fail(`it sent a message of more than ${shortBytes(MAX_MESSAGE_BYTES)}`);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = this.#options.parse(line);
    } catch {
      this.#otherLine(line);
      return;
    }
    const now = performance.now();
    if (now - this.#window.from > WINDOW_MS) this.#window = { from: now, count: 0 };
    this.#window.count += 1;
    if (this.#window.count > MOST_MESSAGES) {
      this.#fail(`it sent more than ${MOST_MESSAGES} messages in ${WINDOW_MS / 1_000} seconds`);
      return;
    }
    this.onmessage?.(message);
  }

  #otherLine(line: string): void {
    const shown = withoutControls(line).slice(0, 200);
    this.firstOther ??= shown;
    this.#options.log.remark(`not a message: ${shown}`);
    this.#others += 1;
    if (this.#others > MOST_OTHER_LINES) this.#fail("it prints text that is not JSON-RPC on its standard output");
  }

  #fail(reason: string): void {
    this.ended = reason;
    this.#pieces = [];
    this.#kill("SIGKILL");
    this.onerror?.(new Error(reason));
  }

  #closed(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
    if (!this.#closing) this.ended ??= how;
    this.#child = undefined;
    this.onclose?.();
  }

  #kill(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Already gone.
    }
  }
}
