/** The input of a tool call while it arrives, for providers that stream themselves. */
import { errorText, isRecord } from "@bough/session/text/index.js";
import { parseStreamingJson } from "./small-helpers.js";

type Arguments = Record<string, unknown>;

interface FinalArguments {
  readonly arguments: Arguments;
  /** Why the text is not an object, with the text. */
  readonly argumentsError?: string;
}

/** Of a longer text, not every piece is parsed again: only when it has grown by this share. */
const ALWAYS = 16_384;
const GROWTH = 1.05;
const MOST_SHOWN = 2000;

/** The complete input of a call: all of it, or nothing and why. */
export function parseToolCallArguments(text: string | undefined): FinalArguments {
  if (text === undefined || text.trim() === "") return { arguments: {} };
  let reason = "it is not an object";
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { arguments: value };
  } catch (error) {
    reason = errorText(error);
  }
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
  return { arguments: {}, argumentsError: `The input is not valid JSON: ${reason}. It was: ${shown}` };
}

export class ToolCallArgumentsStream {
  #text = "";
  #parsed = 0;
  #known: Arguments = {};

  get text(): string {
    return this.#text;
  }

  /** What is known of the input so far; a new object whenever it changed. */
  append(delta: string): Arguments {
    this.#text += delta;
    if (this.#text.length <= ALWAYS || this.#text.length >= this.#parsed * GROWTH) {
      this.#parsed = this.#text.length;
      const value = parseStreamingJson(this.#text);
      if (isRecord(value)) this.#known = value;
    }
    return this.#known;
  }

  /** The whole text, from a provider that repeats it. `delta` is what is new, if it continues the text so far. */
  replace(text: string): { readonly delta: string | undefined; readonly arguments: Arguments } {
    if (text.startsWith(this.#text)) {
      const delta = text.slice(this.#text.length);
      return { delta, arguments: this.append(delta) };
    }
    this.#text = "";
    this.#parsed = 0;
    this.#known = {};
    return { delta: undefined, arguments: this.append(text) };
  }

  finish(): FinalArguments {
    return parseToolCallArguments(this.#text);
  }
}
