/** Writes steps of a path as messages of an opencode export. */
import type { AssistantBlock, ToolCallBlock } from "@bough/session/entry/index.js";
import { dataUrlOfImage } from "../../conversion/data-url.js";
import {
  type Answer,
  type Compaction,
  resultOf,
  type SpokenBlock,
  type SpokenStep,
  toolWord,
  wordsOf,
} from "../../conversion/spoken-path.js";
import { stringIn } from "../../foreign-lines.js";
import type { OpencodeIds } from "./opencode-ids.js";

type JsonObject = Readonly<Record<string, unknown>>;

export interface ExportedMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

export interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

interface ExportParts {
  readonly ids: OpencodeIds;
  readonly sessionID: string;
  readonly cwd: string;
  /** Upper limit for message times, by which opencode sorts. */
  readonly now: number;
}

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

export class ExportMessages {
  readonly #parts: ExportParts;
  /** Message IDs by step. */
  readonly #ids = new Map<number, string>();
  /** The model of a prompt: the one that answered last before it, or first after it. */
  #model: Model;
  #latest = 0;
  /** The prompt that answers name as their parent. */
  #prompt: string | undefined;

  /** `model`: the model of the first answer. */
  constructor(parts: ExportParts, model: Model) {
    this.#parts = parts;
    this.#model = model;
  }

  *of(step: SpokenStep): Generator<ExportedMessage> {
    if (step.kind === "answer") this.#model = modelOf(step);
    const model = this.#model;
    switch (step.kind) {
      case "prompt":
        yield this.#prompted(step, { model, parts: step.content.map(partOf) });
        return;
      case "answer":
        // Every answer needs a prompt, so add a placeholder before an answer that starts the path.
        if (this.#prompt === undefined) yield this.#prompted(step, { model, parts: [{ type: "text", text: "…" }] });
        yield this.#answered(step);
        return;
      case "compaction":
        yield* this.#compacted(step, model);
    }
  }

  #prompted(step: SpokenStep, { model, parts }: { readonly model: Model; readonly parts: readonly JsonObject[] }) {
    const id = this.#idOf(step);
    this.#prompt = id;
    const info = { role: "user", time: { created: this.#time(step) }, agent: "build", model };
    return this.#message(id, info, parts);
  }

  #answered(step: Answer): ExportedMessage {
    const { message, blocks } = step;
    const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cost } = message.usage ?? {};
    const hasCalls = blocks.some((block) => block.type === "toolCall");
    const info = this.#answerInfo(step, modelOf(step));
    return this.#message(
      this.#idOf(step),
      {
        ...info,
        cost: cost?.total ?? 0,
        tokens: { input, output, reasoning: 0, cache: { read: cacheRead, write: cacheWrite } },
        finish: hasCalls ? "tool-calls" : message.stopReason === "length" ? "length" : "stop",
      },
      blocks.map((block) => this.#answerPart(step, block)),
    );
  }

  /** Writes a prompt that requests the summary, and the summary. The prompt names the first kept message. */
  *#compacted(step: Compaction, model: Model): Generator<ExportedMessage> {
    const tail = step.keptFrom === undefined ? undefined : this.#ids.get(step.keptFrom);
    const compaction = { type: "compaction", auto: false, ...(tail === undefined ? {} : { tail_start_id: tail }) };
    yield this.#prompted(step, { model, parts: [compaction] });
    const info = { ...this.#answerInfo(step, model), mode: "compaction", agent: "compaction", summary: true };
    yield this.#message(this.#parts.ids.next("msg"), { ...info, cost: 0, tokens: NO_TOKENS, finish: "stop" }, [
      { type: "text", text: step.summary },
    ]);
  }

  #answerInfo(step: SpokenStep, model: Model): JsonObject {
    const { cwd } = this.#parts;
    const time = this.#time(step);
    return {
      role: "assistant",
      parentID: this.#prompt,
      mode: "build",
      agent: "build",
      path: { cwd, root: cwd },
      ...model,
      time: { created: time, completed: time },
    };
  }

  #answerPart(step: Answer, block: AssistantBlock): JsonObject {
    const time = { start: this.#latest, end: this.#latest };
    if (block.type === "thinking") return { type: "reasoning", text: block.thinking, time, ...signed(step, block) };
    if (block.type === "toolCall") return { type: "tool", ...this.#callFields(step, block, time) };
    return { type: "text", text: block.type === "text" ? block.text : "", time };
  }

  #callFields(step: Answer, call: ToolCallBlock, time: JsonObject): JsonObject {
    const { content, isError } = resultOf(step, call);
    const output = wordsOf(content);
    const input = call.arguments;
    const images = content.flatMap((block) => (block.type === "image" ? [partOf(block)] : []));
    const attachments = this.#placed(this.#ids.get(step.order) as string, images);
    const done = { status: "completed", input, output, title: call.name, metadata: {}, time };
    const state = isError
      ? { status: "error", input, error: output, time }
      : { ...done, ...(attachments.length === 0 ? {} : { attachments }) };
    return { callID: call.id, tool: toolWord(call.name), state };
  }

  #message(id: string, info: JsonObject, parts: readonly JsonObject[]): ExportedMessage {
    return { info: { ...info, id, sessionID: this.#parts.sessionID }, parts: this.#placed(id, parts) };
  }

  #placed(messageID: string, parts: readonly JsonObject[]): JsonObject[] {
    const { sessionID, ids } = this.#parts;
    return parts.map((part) => ({ ...part, id: ids.next("prt"), sessionID, messageID }));
  }

  #idOf(step: SpokenStep): string {
    const id = this.#parts.ids.next("msg");
    if (!this.#ids.has(step.order)) this.#ids.set(step.order, id);
    return id;
  }

  /** The time of a step, but never earlier than the previous message. */
  #time({ timestamp }: SpokenStep): number {
    const given = Date.parse(timestamp);
    this.#latest = Math.max(this.#latest, Math.min(Number.isNaN(given) ? 0 : given, this.#parts.now));
    return this.#latest;
  }
}

/** The provider's signature, in opencode's format. */
function signed({ message }: Answer, { thinkingSignature }: Extract<AssistantBlock, { type: "thinking" }>): JsonObject {
  if (thinkingSignature === undefined || message.provider !== "anthropic") return {};
  return { metadata: { anthropic: { signature: thinkingSignature } } };
}

function partOf(block: SpokenBlock): JsonObject {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "file", mime: block.mimeType, url: dataUrlOfImage(block) };
}

/** Other programs' sessions may lack both, and opencode does not import answers without them. */
export function modelOf({ message }: Answer): Model {
  return { providerID: stringIn(message.provider) ?? "unknown", modelID: stringIn(message.model) ?? "unknown" };
}
