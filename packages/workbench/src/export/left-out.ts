/** Removes contents that an export leaves out, by option or by default. Entries keep their position in the tree. */
import { FILES_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { LeaveOutOptions } from "./export-options.js";

export class LeftOut {
  readonly #options: LeaveOutOptions;
  images = 0;
  toolOutputs = 0;
  systemPrompts = 0;
  /** Original records of other agents that imported entries contain. */
  originals = 0;

  constructor(options: LeaveOutOptions) {
    this.#options = options;
  }

  /** A copy of the entry without them; the entry itself if there is nothing to remove. */
  apply(whole: SessionEntry): SessionEntry {
    const { images, toolOutputs, systemPrompts } = this.#options;
    // An original record contains everything, including what is left out here.
    const entry = images || toolOutputs || systemPrompts ? withoutOriginal(whole) : whole;
    if (entry !== whole) this.originals += 1;
    return this.#applyOptions(entry);
  }

  #applyOptions(entry: SessionEntry): SessionEntry {
    if (entry.type === "custom" && entry.customType === FILES_TYPE && this.#options.toolOutputs) {
      // Diffs that an earlier export embedded in the session.
      return isRecord(entry.data) && "diffs" in entry.data ? { ...entry, data: without(entry.data, "diffs") } : entry;
    }
    if (entry.type === "custom_message") return this.#withoutImages(entry);
    if (entry.type !== "message" || typeof entry.message !== "object" || entry.message === null) return entry;
    const { message } = entry;
    if (message.role === "system" && this.#options.systemPrompts) {
      this.systemPrompts += 1;
      return { ...entry, message: { ...message, content: "[system prompt left out]" } };
    }
    if (this.#options.toolOutputs) {
      if (message.role === "toolResult") {
        this.toolOutputs += 1;
        const { details: _details, ...rest } = message;
        return { ...entry, message: { ...rest, content: [{ type: "text", text: OUTPUT }] } };
      }
      if (message.role === "bashExecution") {
        this.toolOutputs += 1;
        return { ...entry, message: { ...message, output: OUTPUT } };
      }
      if (message.role === "assistant" && Array.isArray(message.content)) {
        const content = message.content.map((block) =>
          block.type === "toolCall" ? { ...block, arguments: {} } : block,
        );
        return { ...entry, message: { ...message, content } };
      }
    }
    return { ...entry, message: this.#withoutImages(message) };
  }

  #withoutImages<Holder extends object>(holder: Holder): Holder {
    const { content } = holder as { readonly content?: unknown };
    if (!this.#options.images || !Array.isArray(content) || !content.some(isImage)) return holder;
    const kept = content.map((block: unknown) => {
      if (!isImage(block)) return block;
      this.images += 1;
      return { type: "text", text: "[image left out]" };
    });
    return { ...holder, content: kept };
  }
}

const OUTPUT = "[output left out]";

function isImage(block: unknown): boolean {
  return typeof block === "object" && block !== null && (block as { readonly type?: unknown }).type === "image";
}

/** Entries that every import adds: records without an equivalent here, and the paths and hashes of the source. */
const HOLDERS: ReadonlySet<string> = new Set(["bough.import", "bough.origin"]);
/** Fields of such an entry to keep. */
const FACTS: ReadonlySet<string> = new Set(["agent", "type", "line"]);

/** The entry without the original record; the entry itself if it has none. */
function withoutOriginal(entry: SessionEntry): SessionEntry {
  if (entry.type === "custom" && HOLDERS.has(entry.customType) && isRecord(entry.data)) {
    const facts = Object.entries(entry.data).filter(([name]) => FACTS.has(name));
    return { ...entry, data: Object.fromEntries(facts) };
  }
  const carrier = entry as { readonly origin?: unknown; readonly details?: unknown; readonly message?: unknown };
  const inside = isRecord(carrier.details) && "origin" in carrier.details;
  if (!("origin" in entry) && !inside) return entry;
  const { origin: _origin, details, message, ...rest } = carrier;
  return {
    ...rest,
    ...(details === undefined ? {} : { details: inside ? without(details, "origin") : details }),
    ...(message === undefined ? {} : { message: withoutScreenCopy(message) }),
  } as unknown as SessionEntry;
}

/** Removes details of a tool result that only repeat the output for the other agent's UI. Keeps the sub-agent link. */
function withoutScreenCopy(message: unknown): unknown {
  if (!isRecord(message) || message.role !== "toolResult" || !isRecord(message.details)) return message;
  const { subagent } = message.details;
  return { ...without(message, "details"), ...(subagent === undefined ? {} : { details: { subagent } }) };
}

function without(value: unknown, name: string): object {
  return Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== name));
}
