/** Converts the content of response items to text and image blocks, and back. */
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import { dataUrlOfImage, imageOfDataUrl } from "../conversion/data-url.js";
import { stringIn } from "../foreign-lines.js";
import type { JsonObject } from "./rollout-record.js";

interface ReadContent {
  readonly blocks: readonly (TextBlock | ImageBlock)[];
  /** Whether the blocks represent everything, so that `writeContent` restores the content. */
  readonly whole: boolean;
}

const TEXT_TYPES: ReadonlySet<string> = new Set(["input_text", "output_text", "text", "summary_text"]);

/** Accepts a string, one part, or a list of parts. */
export function readContent(content: unknown): ReadContent {
  if (typeof content === "string") return { blocks: [{ type: "text", text: content }], whole: true };
  const parts = Array.isArray(content) ? content : isRecord(content) ? [content] : [];
  const blocks: (TextBlock | ImageBlock)[] = [];
  for (const part of parts) {
    const block = isRecord(part) ? blockOf(part) : undefined;
    if (block !== undefined) blocks.push(block);
  }
  return { blocks, whole: Array.isArray(content) && blocks.length === parts.length };
}

function blockOf(part: JsonObject): TextBlock | ImageBlock | undefined {
  const type = stringIn(part.type) ?? "";
  if (TEXT_TYPES.has(type) && typeof part.text === "string") return { type: "text", text: part.text };
  if (type === "input_image") return imageOfDataUrl(part.image_url);
  return undefined;
}

/** Parts of a message or of a tool's output. */
export function writeContent(blocks: readonly (TextBlock | ImageBlock)[], textType: "input_text" | "output_text") {
  return blocks.map((block) =>
    block.type === "text"
      ? { type: textType, text: block.text }
      : { type: "input_image", image_url: dataUrlOfImage(block) },
  );
}

export function textOfBlocks(blocks: readonly { readonly type: string; readonly text?: string }[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text ?? ""] : [])).join("\n");
}

/** The text of a reasoning item: its summary, or else the raw content that open models return. */
export function reasoningText(item: JsonObject): string {
  const textsOf = (list: unknown): string[] =>
    Array.isArray(list)
      ? list.flatMap((part) => (isRecord(part) && typeof part.text === "string" ? [part.text] : []))
      : [];
  const summary = textsOf(item.summary);
  return (summary.length > 0 ? summary : textsOf(item.content)).join("\n\n");
}

interface ReadOutput extends ReadContent {
  /** Undefined if the text does not contain one. */
  readonly exitCode: number | undefined;
}

/** Reads a tool's output, which the oldest files wrap in a JSON string together with the exit code. */
export function readOutput(output: unknown): ReadOutput {
  if (typeof output !== "string") return { ...readContent(output), exitCode: undefined };
  const wrapped = unwrap(output);
  if (wrapped !== undefined) {
    return { blocks: [{ type: "text", text: wrapped.text }], whole: false, exitCode: wrapped.exitCode };
  }
  const exit = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(output.slice(0, 400))?.[1];
  return { ...readContent(output), exitCode: exit === undefined ? undefined : Number(exit) };
}

function unwrap(output: string): { text: string; exitCode: number | undefined } | undefined {
  if (!output.startsWith('{"output":')) return undefined;
  const value = jsonObject(output);
  // Text that only looks wrapped is shown unchanged.
  if (typeof value?.output !== "string" || !isRecord(value.metadata)) return undefined;
  const exitCode = value.metadata.exit_code;
  return { text: value.output, exitCode: typeof exitCode === "number" ? exitCode : undefined };
}
