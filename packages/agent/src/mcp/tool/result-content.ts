/** Converts a server's response to a result for the model. Long text and binary data go to private files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";
import { makeFolder } from "@bough/session/log/index.js";
import { errorText, isRecord, shortBytes, withoutControls } from "@bough/session/text/index.js";
import type { ToolResult } from "../../tool/index.js";

/** Longer text goes to a file. */
const LONGEST_TEXT_BYTES = 50 * 1024;
/** How much of such text is shown. */
const SHOWN_CHARACTERS = 4_000;
const MAX_IMAGE_BYTES = 3_750_000;
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

interface ResultPlace {
  /** A private folder, created when needed. */
  readonly folder: string;
  /** Prefix of the file names. */
  readonly name: string;
}

/** `answer` is the server's response; unknown content is only mentioned. */
export function resultContent(answer: unknown, place: ResultPlace): ToolResult {
  const { content: blocks, structuredContent, isError } = isRecord(answer) ? answer : {};
  const files = new ResultFiles(place);
  const content: (TextBlock | ImageBlock)[] = [];
  for (const block of Array.isArray(blocks) ? blocks : []) content.push(...blockContent(block, files));
  const hasText = content.some(({ type }) => type === "text");
  if (!hasText && structuredContent !== undefined) {
    content.push({ type: "text", text: JSON.stringify(structuredContent, undefined, 2) });
  }
  if (content.length === 0) content.push({ type: "text", text: "(no content)" });
  return { content: shortened(content, files), isError: isError === true };
}

function blockContent(block: unknown, files: ResultFiles): readonly (TextBlock | ImageBlock)[] {
  if (!isRecord(block)) return [];
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? [{ type: "text", text: block.text }] : [];
    case "image":
    case "audio":
      return data({ bytes: block.data, mimeType: block.mimeType, what: block.type }, files);
    case "resource_link":
      return [{ type: "text", text: `Resource ${words([block.uri, block.name, block.description])}` }];
    case "resource": {
      const { uri, text, blob, mimeType } = isRecord(block.resource) ? block.resource : {};
      if (typeof text === "string") return [{ type: "text", text: `Resource ${words([uri])}\n${text}` }];
      return data({ bytes: blob, mimeType, what: `resource ${words([uri])}` }, files);
    }
    default:
      return [{ type: "text", text: `(content of an unknown type: ${words([block.type])})` }];
  }
}

interface Data {
  readonly bytes: unknown;
  readonly mimeType: unknown;
  readonly what: string;
}

function data({ bytes, mimeType, what }: Data, files: ResultFiles): readonly (TextBlock | ImageBlock)[] {
  if (typeof bytes !== "string") return [];
  const mime = typeof mimeType === "string" ? mimeType.toLowerCase() : "application/octet-stream";
  const decoded = Buffer.from(bytes, "base64");
  if (IMAGES.includes(mime) && decoded.length > 0 && decoded.length <= MAX_IMAGE_BYTES) {
    // Re-encoded, because invalid Base64 would make every later request fail.
    return [{ type: "image", data: decoded.toString("base64"), mimeType: mime }];
  }
  return [
    {
      type: "text",
      text: `(${what}, ${words([mime])}, ${shortBytes(decoded.length)}) ${files.keep(decoded, endingOf(mime))}`,
    },
  ];
}

/** Joins fields from a server on one line; skips missing ones. */
function words(fields: readonly unknown[]): string {
  const texts = fields.filter((field) => typeof field === "string" && field !== "") as string[];
  return texts.map((text) => withoutControls(text).replaceAll("\n", " ").slice(0, 300)).join(" · ");
}

function shortened(content: readonly (TextBlock | ImageBlock)[], files: ResultFiles): ToolResult["content"] {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= LONGEST_TEXT_BYTES) return content;
  const whole = texts.join("\n");
  const kept = files.keep(Buffer.from(whole), "txt");
  const text = `${whole.slice(0, SHOWN_CHARACTERS)}\n\n(The result has ${shortBytes(bytes)}; this is its start. ${kept})`;
  return [{ type: "text", text }, ...content.filter(({ type }) => type === "image")];
}

function endingOf(mime: string): string {
  return /^[a-z]+\/([a-z0-9]{1,8})$/.exec(mime)?.[1] ?? "bin";
}

class ResultFiles {
  readonly #place: ResultPlace;
  #count = 0;

  constructor(place: ResultPlace) {
    this.#place = place;
  }

  /** Saves the bytes. Returns a sentence with the path, or with the reason why it failed. */
  keep(bytes: Buffer, ending: string): string {
    const { folder, name } = this.#place;
    const start = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80);
    try {
      makeFolder(folder);
      for (;;) {
        this.#count += 1;
        const path = join(folder, `${start}-${this.#count}.${ending}`);
        try {
          writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
          return `Saved to ${path}`;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EEXIST" || this.#count > 1_000) throw error;
        }
      }
    } catch (error) {
      return `It could not be saved: ${errorText(error)}`;
    }
  }
}
