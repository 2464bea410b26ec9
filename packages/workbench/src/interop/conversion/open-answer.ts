/** A model answer that is being assembled from its records: blocks, tokens, and how it ended. */
import type { AssistantBlock, AssistantMessage, MessageEntry, StopReason, Usage } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import type { Place } from "../foreign-entry.js";
import { millisecondsOf, type OpenEntry } from "./entry-chain.js";

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

interface AnswerModel {
  readonly api: string;
  readonly provider: string;
  readonly model: string;
}

/** `origin` keeps what the entry itself cannot store, so that writing it back yields the same records. */
type ImportedMessage<Origin> = MessageEntry & { readonly origin?: Origin };

export class OpenAnswer<Origin> implements OpenEntry {
  readonly place: Place;
  readonly model: AnswerModel;
  readonly blocks: AssistantBlock[] = [];
  origin: Origin | undefined;
  usage: Usage | undefined;
  responseId: string | undefined;
  ending: StopReason | undefined;
  errorMessage: string | undefined;
  settled = false;

  constructor(place: Place, model: AnswerModel) {
    this.place = place;
    this.model = model;
  }

  hasCalls(): boolean {
    return this.blocks.some((block) => block.type === "toolCall");
  }

  build(): ImportedMessage<Origin> {
    const message: AssistantMessage = {
      role: "assistant",
      content: this.blocks,
      ...this.model,
      usage: this.usage ?? NO_USAGE,
      stopReason: this.ending ?? (this.hasCalls() ? "toolUse" : "stop"),
      ...defined({ errorMessage: this.errorMessage, responseId: this.responseId }),
      timestamp: millisecondsOf(this.place.timestamp),
    };
    return {
      type: "message",
      ...this.place,
      message,
      ...defined({ origin: this.origin }),
    };
  }
}
