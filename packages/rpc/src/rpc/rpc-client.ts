/** A client for `bough --mode rpc`: requests, events, and answers to the program's questions. */
import { EventStream } from "./event-stream.js";
import type { RpcEvents } from "./protocol/events.js";
import type { RpcMethods } from "./protocol/methods.js";
import type { Fault } from "./protocol/outcomes.js";
import type { RpcQuestions } from "./protocol/questions.js";
import { RpcError } from "./rpc-error.js";
import { linesIn, type RpcTransport } from "./transport.js";

/** The version of the protocol this client speaks. */
export const RPC_PROTOCOL_VERSION = 1;

/** The parameters of a method. */
export type RpcParams<Method extends keyof RpcMethods> = RpcMethods[Method]["params"];

/** The result of a method. */
export type RpcResult<Method extends keyof RpcMethods> = RpcMethods[Method]["result"];

/** Any event. */
export type RpcEvent = RpcEvents[keyof RpcEvents];

/** Answers one kind of question. `signal` aborts when the answer is no longer needed; `undefined` gives no answer. */
export type RpcQuestionHandler<Name extends keyof RpcQuestions> = (
  params: RpcQuestions[Name]["params"],
  options: { readonly signal: AbortSignal },
) => RpcQuestions[Name]["result"] | undefined | Promise<RpcQuestions[Name]["result"] | undefined>;

/**
 * Handlers for the program's questions. A question without a handler gets no answer, so nothing is chosen or permitted.
 */
export type RpcQuestionHandlers = { readonly [Name in keyof RpcQuestions]?: RpcQuestionHandler<Name> };

/** Parameters may be omitted if the method needs none. */
export type RpcArguments<Method extends keyof RpcMethods> =
  Readonly<Record<string, never>> extends RpcParams<Method>
    ? [params?: RpcParams<Method>]
    : [params: RpcParams<Method>];

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: RpcError) => void;
}

type Line = Readonly<Record<string, unknown>>;

/** A result or event was shortened, because it was too long for one line. */
export interface RpcCut {
  /** Length of the whole line. */
  readonly characters: number;
}

/** A part of something that was too long for one line. */
export interface RpcPart {
  readonly text: string;
  /** The offset of the next part; null for the last one. */
  readonly next: number | null;
}

/** One connection. Created by `connect`. */
export class RpcClient {
  readonly #transport: RpcTransport;
  readonly #handlers: RpcQuestionHandlers;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<(event: never) => void>>();
  readonly #streams = new Set<EventStream<RpcEvent>>();
  readonly #questions = new Map<string, AbortController>();
  readonly #reading: Promise<void>;
  readonly #cuts = new WeakMap<object, RpcCut>();
  /** The longest line the program accepts, once it has said so. */
  #longest = Number.POSITIVE_INFINITY;
  #count = 0;
  #gone: RpcError | undefined;

  constructor(transport: RpcTransport, handlers: RpcQuestionHandlers = {}) {
    this.#transport = transport;
    this.#handlers = handlers;
    this.#reading = this.#read();
  }

  /**
   * Sends a request and resolves with its result. Rejects with an `RpcError`; if the request is longer than the program
   * accepts, its code is `request-too-long` and nothing is sent. `cutOf` tells whether the result was shortened.
   */
  async request<Method extends keyof RpcMethods>(
    method: Method,
    ...[params]: RpcArguments<Method>
  ): Promise<RpcResult<Method>> {
    if (this.#gone !== undefined) throw this.#gone;
    this.#count += 1;
    const id = this.#count;
    const line = lineOf({ id, method, params });
    if (isLonger(line, this.#longest)) throw tooLong(method, this.#longest);
    const answer = new Promise<RpcResult<Method>>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#send(line);
    if (method === "initialize") this.#learn(await answer);
    return answer;
  }

  /** The full length of a result or event that was shortened; undefined if it is complete. */
  cutOf(received: RpcEvent | RpcResult<keyof RpcMethods>): RpcCut | undefined {
    return typeof received === "object" && received !== null ? this.#cuts.get(received) : undefined;
  }

  /** Calls the listener for each event of a type. Returns a function that unsubscribes. */
  on<Type extends keyof RpcEvents>(type: Type, listener: (event: RpcEvents[Type]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener as (event: never) => void);
    return () => void listeners.delete(listener as (event: never) => void);
  }

  /** All events from now on, until the loop is left or the connection ends. */
  events(): AsyncGenerator<RpcEvent, void, undefined> {
    const stream = new EventStream<RpcEvent>(() => this.#streams.delete(stream));
    if (this.#gone === undefined) this.#streams.add(stream);
    else stream.end();
    return stream.iterate();
  }

  /**
   * Reads all of something that was too long for one line: `(offset) => client.request("tree.entryPart", { entryId,
   * offset })`.
   */
  async whole(part: (offset: number) => Promise<RpcPart>): Promise<unknown> {
    const texts: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const { text, next }: RpcPart = await part(offset);
      texts.push(text);
      offset = next;
    }
    return JSON.parse(texts.join(""));
  }

  /** Ends the connection: the program then stops what is running and closes the session. */
  async close(): Promise<void> {
    await this.#transport.close();
    await this.#reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #learn(answer: unknown): void {
    const { capabilities } = answer as Partial<RpcResult<"initialize">>;
    this.#longest = capabilities?.limits?.requestBytes ?? this.#longest;
  }

  #send(line: string): void {
    // A transport may throw synchronously or reject later.
    void Promise.resolve()
      .then(() => this.#transport.write(`${line}\n`))
      .catch((cause) => this.#end(closed(cause)));
  }

  async #read(): Promise<void> {
    try {
      for await (const line of linesIn(this.#transport.input)) if (line.trim() !== "") this.#take(JSON.parse(line));
      this.#end(closed());
    } catch (error) {
      this.#end(error instanceof RpcError ? error : closed(error));
    }
  }

  #take(line: Line): void {
    for (const carried of [line.event, line.result]) {
      if (line.cut !== undefined && typeof carried === "object" && carried !== null)
        this.#cuts.set(carried, line.cut as RpcCut);
    }
    if (line.event !== undefined) this.#tell(line.event as RpcEvent);
    else if (typeof line.method === "string") void this.#ask(line);
    else if (typeof line.id === "number") this.#settle(line.id, line);
    // The program could not parse one of our lines, so it cannot say which request this belongs to.
    else if (line.error !== undefined) this.#end(new RpcError(line.error as Fault));
  }

  #settle(id: number, line: Line): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (line.error === undefined) waiting?.resolve(line.result as never);
    else waiting?.reject(new RpcError(line.error as Fault));
  }

  #tell(event: RpcEvent): void {
    if (event.type === "question_closed") this.#questions.get(event.id)?.abort();
    for (const listener of this.#listeners.get(event.type) ?? []) {
      // An error of a listener is a bug in that program, and must not end the connection.
      try {
        listener(event as never);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    for (const stream of this.#streams) stream.push(event);
  }

  async #ask({ id, method, params }: Line): Promise<void> {
    const handler = this.#handlers[method as keyof RpcQuestions] as RpcQuestionHandler<"ui.confirm"> | undefined;
    const controller = new AbortController();
    this.#questions.set(id as string, controller);
    try {
      const result = await handler?.(params as never, { signal: controller.signal });
      const line = lineOf({ id, result: result ?? null });
      if (isLonger(line, this.#longest)) throw tooLong(method as string, this.#longest);
      if (!controller.signal.aborted) this.#send(line);
    } catch (error) {
      // Answer with an error, which permits nothing; the program logs it.
      if (!controller.signal.aborted) this.#send(lineOf({ id, error: { message: String(error) } }));
    } finally {
      this.#questions.delete(id as string);
    }
  }

  #end(error: RpcError): void {
    if (this.#gone !== undefined) return;
    this.#gone = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const controller of this.#questions.values()) controller.abort();
    for (const stream of [...this.#streams]) stream.end();
  }
}

function lineOf(value: object): string {
  return JSON.stringify(value);
}

/** Whether a line has more than `most` bytes. A UTF-16 code unit takes up to three. */
function isLonger(line: string, most: number): boolean {
  if (line.length > most) return true;
  return line.length * 3 > most && new TextEncoder().encode(line).length > most;
}

function tooLong(what: string, most: number): RpcError {
  return new RpcError({
    code: "request-too-long",
    message: `Not sent: ${what} exceeds the ${most} bytes that the program accepts`,
    data: { requestBytes: most },
  });
}

function closed(cause?: unknown): RpcError {
  const error = new RpcError({ code: "connection-closed", message: "The connection to the program is closed" });
  if (cause !== undefined) error.cause = cause;
  return error;
}
