/** `write`: creates or replaces a whole file. */
import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { defineTool, textResult } from "./define-tool.js";
import { type ChangePlan, changeFile } from "./file/change-file.js";
import { type EditorFiles, type EditorLook, lookInEditor, MOST_EDITOR_BYTES, NO_EDITOR } from "./file/editor-files.js";
import { countsOf, type FileChange, fileChange, filePreview } from "./file/file-change.js";
import { fileStamp } from "./file/replace-file.js";
import { pathField } from "./path/absolute-path.js";
import type { AllowedPath } from "./path/allowed-path.js";
import type { Tool, ToolContext } from "./tool.js";
import { systemCode } from "./tool-failure.js";

const input = z.strictObject({
  path: pathField("The file."),
  content: z.string().describe("The complete new content."),
});

/** Larger files are replaced without a diff. */
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

export function writeTool({ editor }: { readonly editor?: EditorFiles | undefined } = {}): Tool {
  return defineTool({
    name: "write",
    description:
      "Creates a file or replaces its entire content. Creates missing folders. " +
      "To change part of a file, use edit.",
    input,
    readOnly: false,
    permission: "own",
    reportsFiles: true,
    run: ({ path, content }, context) =>
      changeFile(
        { tool: "write", path, editor, plan: (file, { signal }) => planWrite(file, content, { editor, signal }) },
        context,
      ),
  });
}

async function planWrite(
  { real, shown }: AllowedPath,
  content: string,
  { editor, signal }: Pick<ToolContext, "signal"> & { readonly editor: EditorFiles | undefined },
): Promise<ChangePlan> {
  const data = Buffer.from(content, "utf8");
  // Taken before the content is read, so that a change in between is noticed.
  const stamp = await fileStamp(real);
  const saved = await contentOf(real);
  const look = await editorLook(editor, { path: real, saved, signal });
  const before = look.unsaved === undefined ? saved : bytesOf(look.unsaved);
  const change = planChange({ path: real, shown, before, data });
  if (change.change === "unchanged") {
    return { kind: "nothing", result: textResult(`${shown} already has exactly this content`, change) };
  }
  const result = textResult(sentence(shown, { change, content }), change);
  const bytes = before.kind === "none" ? undefined : before.size;
  const preview = filePreview({ change, text: content, bytes });
  return { kind: "change", data, before: stamp, look, preview, result };
}

async function editorLook(
  editor: EditorFiles | undefined,
  { path, saved, signal }: { readonly path: string; readonly saved: Before; readonly signal: AbortSignal },
): Promise<EditorLook> {
  if (saved.kind === "unread" || (saved.kind === "bytes" && saved.size > MOST_EDITOR_BYTES)) return NO_EDITOR;
  if (saved.kind === "bytes" && (!isUtf8(saved.bytes) || saved.bytes.includes(0))) return NO_EDITOR;
  const disk = saved.kind === "none" ? undefined : saved.bytes.toString("utf8");
  return lookInEditor(editor, { path, disk, signal });
}

function bytesOf(text: string): Before {
  const bytes = Buffer.from(text, "utf8");
  return { kind: "bytes", bytes, size: bytes.length };
}

type Before =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: Buffer; readonly size: number }
  /** Exists but is not compared: too large, or not a regular file (which `fileStamp` refuses). */
  | { readonly kind: "unread"; readonly size: number };

async function contentOf(path: string): Promise<Before> {
  try {
    const info = await stat(path);
    if (!info.isFile() || info.size > MAX_COMPARED_BYTES) return { kind: "unread", size: info.size };
    return { kind: "bytes", bytes: await readFile(path), size: info.size };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { kind: "none" };
    throw error;
  }
}

interface PlannedWrite {
  readonly path: string;
  readonly shown: string;
  readonly before: Before;
  readonly data: Buffer;
}

function planChange({ path, shown, before, data }: PlannedWrite): FileChange {
  if (before.kind === "none") return { path, change: "created" };
  if (before.kind === "unread") return { path, change: "changed" };
  const { bytes } = before;
  if (bytes.equals(data)) return { path, change: "unchanged" };
  if (!isUtf8(bytes) || bytes.includes(0)) return { path, change: "changed" };
  return fileChange({ path, shown, before: bytes.toString("utf8"), after: data.toString("utf8") });
}

function sentence(
  shown: string,
  { change, content }: { readonly change: FileChange; readonly content: string },
): string {
  const lines = content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
  if (change.change === "created") return `Created ${shown} (${lines} ${lines === 1 ? "line" : "lines"})`;
  const counts = countsOf(change);
  return `Wrote ${shown}${counts === "" ? "" : ` (${counts})`}`;
}
