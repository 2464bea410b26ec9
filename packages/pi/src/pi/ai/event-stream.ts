/** A stream that one side pushes to and the other side iterates over. */
import type { AssistantMessage } from "@bough/session/entry/index.js";

export class EventStream<Event, Result = Event> implements AsyncIterable<Event> {
  readonly #queue: Event[] = [];
  readonly #readers: ((next: IteratorResult<Event>) => void)[] = [];
  readonly #isLast: (event: Event) => boolean;
  readonly #resultOf: (event: Event) => Result;
  readonly #result: Promise<Result>;
  #resolve: (result: Result) => void = () => {};
  #ended = false;

  constructor(isLast: (event: Event) => boolean, resultOf: (event: Event) => Result) {
    this.#isLast = isLast;
    this.#resultOf = resultOf;
    this.#result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Events after the last one are dropped. */
  push(event: Event): void {
    if (this.#ended) return;
    if (this.#isLast(event)) {
      this.#ended = true;
      this.#resolve(this.#resultOf(event));
    }
    const reader = this.#readers.shift();
    if (reader === undefined) this.#queue.push(event);
    else reader({ value: event, done: false });
    if (this.#ended) this.#release();
  }

  end(result?: Result): void {
    this.#ended = true;
    if (result !== undefined) this.#resolve(result);
    this.#release();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Event> {
    for (;;) {
      const event = this.#queue.shift();
      if (event !== undefined) yield event;
      else if (this.#ended) return;
      else {
        const next = await new Promise<IteratorResult<Event>>((resolve) => this.#readers.push(resolve));
        if (next.done === true) return;
        yield next.value;
      }
    }
  }

  /** Resolves with the result of the last event. */
  result(): Promise<Result> {
    return this.#result;
  }

  #release(): void {
    for (const reader of this.#readers.splice(0)) reader({ value: undefined, done: true });
  }
}

/** One event of a streamed answer in pi's form. */
export type AssistantMessageEvent =
  | { readonly type: "start"; readonly partial: AssistantMessage }
  | {
      readonly type: "text_start" | "thinking_start" | "toolcall_start";
      readonly contentIndex: number;
      readonly partial: AssistantMessage;
    }
  | {
      readonly type: "text_delta" | "thinking_delta" | "toolcall_delta";
      readonly contentIndex: number;
      readonly delta: string;
      readonly partial: AssistantMessage;
    }
  | {
      readonly type: "text_end" | "thinking_end";
      readonly contentIndex: number;
      readonly content: string;
      readonly partial: AssistantMessage;
    }
  | {
      readonly type: "toolcall_end";
      readonly contentIndex: number;
      readonly toolCall: unknown;
      readonly partial: AssistantMessage;
    }
  | { readonly type: "done"; readonly reason: string; readonly message: AssistantMessage }
  | { readonly type: "error"; readonly reason: string; readonly error: AssistantMessage };

export class AssistantMessageEventStream extends EventStream<AssistantMessageEvent, AssistantMessage> {
  constructor() {
    super(
      (event) => event.type === "done" || event.type === "error",
      (event) =>
        (event as { message?: AssistantMessage; error?: AssistantMessage }).message ??
        (event as { error: AssistantMessage }).error,
    );
  }
}

export function createAssistantMessageEventStream(): AssistantMessageEventStream {
  return new AssistantMessageEventStream();
}
