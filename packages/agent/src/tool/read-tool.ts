/** `read`: reads text, or a range of its lines, and images. */
import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { editDistance } from "@bough/session/text/index.js";
import { z } from "zod";
import { defineTool, textResult } from "./define-tool.js";
import { type EditorFiles, lookInEditor, MOST_EDITOR_BYTES } from "./file/editor-files.js";
import { fileKind, KIND_BYTES } from "./file/file-kind.js";
import { readHead } from "./file/read-head.js";
import { readRange } from "./file/read-range.js";
import { pathField } from "./path/absolute-path.js";
import { type AllowedPath, allowedPath } from "./path/allowed-path.js";
import { isInside } from "./path/inside.js";
import type { Tool, ToolResult } from "./tool.js";
import { systemCode, ToolFailure } from "./tool-failure.js";

/** 5 MB in base64, the limit that all providers accept. */
const MAX_IMAGE_BYTES = 3_750_000;

type ReadDetails =
  | {
      readonly kind: "text";
      readonly path: string;
      readonly firstLine: number;
      readonly lastLine: number;
      /** Absent if the file is too large to count. */
      readonly totalLines?: number;
      readonly truncated: boolean;
    }
  | { readonly kind: "image"; readonly path: string; readonly mimeType: string; readonly bytes: number };

const input = z.strictObject({
  path: pathField("The file."),
  offset: z.number().int().min(1).optional().describe("First line to read, starting at 1."),
  limit: z.number().int().min(1).optional().describe("Number of lines to read."),
});

interface ReadToolOptions {
  readonly readable: readonly string[];
  readonly editor?: EditorFiles | undefined;
}

export function readTool({ readable, editor }: ReadToolOptions): Tool {
  return defineTool({
    name: "read",
    description:
      "Reads a file. Text is returned as is, without line numbers: up to 2000 lines or 50,000 characters at a time; " +
      "offset and limit select lines, starting at 1. Images (PNG, JPEG, GIF, WebP) are shown.",
    input,
    readOnly: true,
    run: async ({ path, offset = 1, limit }, context) => {
      const file = await allowedPath({ tool: "read", action: "read", path, readable }, context);
      const { signal } = context;
      const editorOnly = await unsavedNewFile(file, { editor, signal });
      const { head, size } = editorOnly ?? (await headOf(file));
      const kind = fileKind(head);
      if (kind.kind === "image") return readImage(file, { mimeType: kind.mimeType, size });
      if (kind.kind === "binary") {
        throw new ToolFailure(
          `${file.shown} is ${kind.what ?? "a binary file"} of ${size} bytes, not text; use bash with a program that understands it, such as file or xxd`,
        );
      }
      const unsaved = editorOnly?.text ?? (await unsavedTextOf(file, { editor, kind, size, signal }));
      const range = await readRange(unsaved === undefined ? file.real : { text: unsaved }, {
        encoding: kind.encoding,
        size,
        firstLine: offset,
        maxLines: limit,
        signal,
      });
      if (range.kind === "beyond") {
        throw new ToolFailure(`${file.shown} has ${range.totalLines} lines: line ${offset} is past its end`);
      }
      const { text, notes, kind: _kind, ...lines } = range;
      const details: ReadDetails = { kind: "text", path: file.real, ...lines, truncated: notes.length > 0 };
      return textResult([text, ...notes.map((note) => `[${note}]`)].join("\n"), details);
    },
  });
}

interface EditorQuestion {
  readonly editor: EditorFiles | undefined;
  readonly signal: AbortSignal;
}

/** A file that exists only in the editor. */
async function unsavedNewFile(
  file: AllowedPath,
  { editor, signal }: EditorQuestion,
): Promise<{ readonly text: string; readonly head: Buffer; readonly size: number } | undefined> {
  if (editor?.read === undefined || existsSync(file.real)) return undefined;
  const { unsaved: text } = await lookInEditor(editor, { path: file.real, disk: undefined, signal });
  return text === undefined ? undefined : { text, head: Buffer.from(text).subarray(0, KIND_BYTES), size: text.length };
}

async function unsavedTextOf(
  file: AllowedPath,
  { editor, kind, size, signal }: EditorQuestion & { readonly kind: { encoding: string }; readonly size: number },
): Promise<string | undefined> {
  if (editor?.read === undefined || size > MOST_EDITOR_BYTES || kind.encoding !== "utf-8") return undefined;
  const bytes = await readFile(file.real);
  if (!isUtf8(bytes)) return undefined;
  return (await lookInEditor(editor, { path: file.real, disk: bytes.toString("utf8"), signal })).unsaved;
}

async function headOf(file: AllowedPath): ReturnType<typeof readHead> {
  try {
    return await readHead(file.real);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    const near = await nearNames(file.real);
    const shown = near.map((name) => (isInside(file.place.cwd, name) ? relative(file.place.cwd, name) : name));
    const hint = shown.length === 0 ? "Use find or ls to look for it." : `Did you mean ${shown.join(" or ")}?`;
    throw new ToolFailure(`File not found: ${file.shown}\n${hint}`);
  }
}

async function readImage(
  file: AllowedPath,
  { mimeType, size }: { readonly mimeType: string; readonly size: number },
): Promise<ToolResult<ReadDetails>> {
  if (size > MAX_IMAGE_BYTES) {
    throw new ToolFailure(
      `${file.shown} is an image of ${size} bytes; the limit is ${MAX_IMAGE_BYTES}. Make a smaller copy and read that`,
    );
  }
  const data = await readFile(file.real);
  return {
    content: [
      { type: "text", text: `${file.shown}: ${mimeType}, ${data.length} bytes` },
      { type: "image", data: data.toString("base64"), mimeType },
    ],
    details: { kind: "image", path: file.real, mimeType, bytes: data.length },
  };
}

/** Suggestions for a missing file ("Did you mean …?"). */
const MOST_SUGGESTIONS = 3;
const MOST_NAMES = 5000;

/**
 * Existing paths similar to the missing one: compares the first missing part with the names in its folder. Empty if
 * nothing is similar.
 */
async function nearNames(missing: string): Promise<readonly string[]> {
  let path = missing;
  for (;;) {
    const folder = dirname(path);
    const names = await namesIn(folder);
    if (names !== undefined) {
      return closest(basename(path), names.slice(0, MOST_NAMES)).map((name) => join(folder, name));
    }
    if (folder === path) return [];
    path = folder;
  }
}

async function namesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch {
    // Missing or unreadable: try the folder above.
    return undefined;
  }
}

function closest(wanted: string, names: readonly string[]): readonly string[] {
  const most = Math.max(wanted.length < 3 ? 1 : 2, Math.floor(wanted.length / 4));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Differences in case or extension count little: `Readme` is close to `README.md`. */
function distanceOf(wanted: string, name: string): number {
  const a = wanted.toLowerCase();
  const b = name.toLowerCase();
  if (stem(a) === stem(b)) return a === b ? 0 : 1;
  return editDistance(a, b);
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
