import type { AnswerSource } from "./language-model.js";
import type { StreamPart } from "./provider-types.js";

/** Collects the sources of a web search, and takes what the provider's own tool did out of the stream. */
export class SearchParts {
  readonly #sources = new Map<string, AnswerSource>();
  /** Calls that run on the provider's side. */
  readonly #calls = new Set<string>();

  /** Each page once, in the order of the answer. */
  get sources(): readonly AnswerSource[] {
    return [...this.#sources.values()];
  }

  /** Whether the part is not one of the answer. */
  takes(part: StreamPart): boolean {
    switch (part.type) {
      case "source":
        if (part.sourceType === "url" && /^https?:\/\//.test(part.url) && !this.#sources.has(part.url)) {
          this.#sources.set(part.url, { url: part.url, title: part.title ?? "" });
        }
        return true;
      case "tool-input-start":
        if (part.providerExecuted === true) this.#calls.add(part.id);
        return this.#calls.has(part.id);
      case "tool-input-delta":
      case "tool-input-end":
        return this.#calls.has(part.id);
      case "tool-call":
        return part.providerExecuted === true || this.#calls.has(part.toolCallId);
      case "tool-result":
        return true;
      default:
        return false;
    }
  }
}
