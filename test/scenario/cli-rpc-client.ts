/** A client of `bough --mode rpc` that checks every line it gets against the published schema. */

import { rpcValidator } from "@bough/program/cli/rpc/rpc-validator.test-support.js";
import { expect } from "vitest";
import { type Ended, type Place, Running } from "./cli-support.js";
import { RunningHere } from "./run-here.js";

export interface RpcFault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

type Line = Readonly<Record<string, unknown>>;
export type RpcEvent = Line & { readonly type: string };

export interface RpcClientOptions {
  /** In this process, where a test is not about processes: that takes a fraction of the time. */
  readonly isHere?: boolean;
}

export class RpcClient {
  readonly running: Running | RunningHere;
  readonly lines: Line[] = [];
  /** What the schema does not allow, of all lines so far. */
  readonly wrong: string[] = [];
  /** Methods that were answered with a result. */
  readonly used = new Set<string>();
  /** Answers questions; nothing is sent where it is undefined. */
  onQuestion: (method: string, params: Line) => unknown = () => null;
  readonly #open = new Map<number, { readonly method: string; readonly settle: (line: Line) => void }>();
  readonly #looking = new Set<() => void>();
  #count = 0;
  #seen = 0;

  constructor(place: Place, args: readonly string[] = [], { isHere = false }: RpcClientOptions = {}) {
    const Program = isHere ? RunningHere : Running;
    this.running = new Program(place, ["--mode", "rpc", ...args]);
    this.running.child.stdout.on("data", () => this.#read());
    void this.running.ended.then(() => {
      for (const look of this.#looking) look();
      for (const [id, { settle }] of this.#open) settle({ id, error: { code: "gone", message: "The program ended" } });
    });
  }

  get events(): RpcEvent[] {
    return this.lines.flatMap((line) => (line.event === undefined ? [] : [line.event as RpcEvent]));
  }

  /** The result of a request. Throws the fault where there is one. */
  async request<Result = Line>(method: string, params?: object): Promise<Result> {
    const line = await this.send(method, params);
    if (line.error !== undefined) throw line.error;
    return line.result as Result;
  }

  /** The fault of a request that must fail. */
  async fault(method: string, params?: object): Promise<RpcFault> {
    const line = await this.send(method, params);
    expect(line).toHaveProperty("error");
    return line.error as RpcFault;
  }

  async send(method: string, params?: object, id = this.#nextId()): Promise<Line> {
    const answer = new Promise<Line>((settle) => this.#open.set(id, { method, settle }));
    this.write(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }));
    const line = await answer;
    expect(this.wrong).toEqual([]);
    return line;
  }

  /** Far from those that a test chooses itself. */
  #nextId(): number {
    this.#count += 1;
    return 1_000_000 + this.#count;
  }

  write(text: string): void {
    this.running.child.stdin.write(`${text}\n`);
  }

  /** The first line, past or to come, that fits. */
  line(fits: (line: Line) => boolean): Promise<Line> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.lines.find(fits);
        const { exitCode } = this.running.child;
        if (found === undefined && exitCode === null) return;
        this.#looking.delete(look);
        if (found === undefined) reject(new Error(`The program ended with ${exitCode}: ${this.running.stderr}`));
        else resolve(found);
      };
      this.#looking.add(look);
      look();
    });
  }

  async event(type: string): Promise<RpcEvent> {
    const { event } = await this.line((line) => (line.event as RpcEvent | undefined)?.type === type);
    return event as RpcEvent;
  }

  /** Closes the input, as a client that goes away does. */
  async close(): Promise<Ended> {
    this.running.child.stdin.end();
    const ended = await this.running.ended;
    expect(this.wrong).toEqual([]);
    return ended;
  }

  #read(): void {
    const text = this.running.stdout;
    for (let end = text.indexOf("\n", this.#seen); end >= 0; end = text.indexOf("\n", this.#seen)) {
      this.#take(JSON.parse(text.slice(this.#seen, end)) as Line);
      this.#seen = end + 1;
    }
  }

  #take(line: Line): void {
    this.lines.push(line);
    for (const look of this.#looking) look();
    const asking = typeof line.id === "number" ? this.#open.get(line.id)?.method : undefined;
    this.wrong.push(...rpcValidator().serverLine(line, asking));
    if (typeof line.method === "string") {
      const result = this.onQuestion(line.method, line.params as Line);
      if (result !== undefined) this.write(JSON.stringify({ id: line.id, result }));
    }
    const asked = typeof line.id === "number" ? this.#open.get(line.id) : undefined;
    if (asked === undefined) return;
    this.#open.delete(line.id as number);
    if ("result" in line) {
      this.used.add(asked.method);
    }
    asked.settle(line);
  }
}
