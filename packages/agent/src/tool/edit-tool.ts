/** `edit`: exact replacements in one file, all or nothing. */
import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { defined, isRecord, parsedJson } from "@bough/session/text/index.js";
import { z } from "zod";
import { defineTool, textResult } from "./define-tool.js";
import { type ChangePlan, changeFile } from "./file/change-file.js";
import { type EditorFiles, lookInEditor, MOST_EDITOR_BYTES, NO_EDITOR } from "./file/editor-files.js";
import { countsOf, fileChange, filePreview } from "./file/file-change.js";
import { fileKind } from "./file/file-kind.js";
import { planEdits, type TextEdit } from "./file/plan-edits.js";
import { readHead } from "./file/read-head.js";
import { fileStamp } from "./file/replace-file.js";
import { pathField } from "./path/absolute-path.js";
import type { AllowedPath } from "./path/allowed-path.js";
import type { Tool, ToolContext } from "./tool.js";
import { systemCode, ToolFailure } from "./tool-failure.js";

const input = z.strictObject({
  path: pathField("The file."),
  edits: z
    .array(
      z.strictObject({
        oldText: z.string().min(1).describe("Exact text to replace. It must appear exactly once in the file."),
        newText: z.string().describe("Replacement text."),
        replaceAll: z.boolean().optional().describe("Replace every occurrence of oldText."),
      }),
    )
    .min(1)
    .describe("Applied in order, each to the result of the previous one. If one fails, none are applied."),
});

const BYTE_ORDER_MARK = "\ufeff";
/** A larger file is not source code and should not be held as one string. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Some models put one edit next to the list, or send no list, or send the list as a JSON string: accept all three. */
function normalizedInput(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const parsed = typeof given.edits === "string" ? parsedJson(given.edits) : given.edits;
  const edits: unknown = Array.isArray(parsed) ? parsed : given.edits;
  if (typeof given.oldText !== "string") return edits === given.edits ? given : { ...given, edits };
  if (edits !== undefined && !Array.isArray(edits)) return given;
  const { oldText, newText, replaceAll, ...rest } = given;
  const one = defined({ oldText, newText, replaceAll });
  return { ...rest, edits: [...(edits ?? []), one] };
}

export function editTool({ editor }: { readonly editor?: EditorFiles | undefined } = {}): Tool {
  const tool = defineTool({
    name: "edit",
    description:
      "Replaces exact text in a file, with one or more edits. Each oldText must appear in the file exactly once " +
      "(or set replaceAll). Line endings and a byte order mark are kept.",
    input,
    readOnly: false,
    permission: "own",
    reportsFiles: true,
    run: ({ path, edits }, context) =>
      changeFile(
        {
          tool: "edit",
          path,
          editor,
          plan: (file, { signal }) => planEdit(file, edits as readonly TextEdit[], { editor, signal }),
        },
        context,
      ),
  });
  return { ...tool, prepareArguments: normalizedInput };
}

async function planEdit(
  file: AllowedPath,
  edits: readonly TextEdit[],
  { editor, signal }: Pick<ToolContext, "signal"> & { readonly editor: EditorFiles | undefined },
): Promise<ChangePlan> {
  const { size } = await headOf(file);
  if (size > MAX_BYTES) throw new ToolFailure(`${file.shown} is too large for edit (${size} bytes); use bash`);
  // Taken before the content is read, so that a change in between is noticed.
  const stamp = await fileStamp(file.real);
  const saved = await textBytes(file);
  // An editor cannot show invalid UTF-8 faithfully, so its text could not be compared.
  const canAsk = size <= MOST_EDITOR_BYTES && isUtf8(saved);
  const disk = saved.toString("utf8");
  const look = canAsk ? await lookInEditor(editor, { path: file.real, disk, signal }) : NO_EDITOR;
  const bytes = look.unsaved === undefined ? saved : Buffer.from(look.unsaved, "utf8");
  const codec = codecFor(bytes);
  const text = codec.decode(bytes);
  const mark = codec.mark !== "" && text.startsWith(codec.mark) ? codec.mark : "";
  const plan = planEdits(
    text.slice(mark.length),
    edits.map((edit) => ({ ...edit, oldText: codec.widen(edit.oldText), newText: codec.widen(edit.newText) })),
  );
  if (plan.kind === "refused") {
    const which = edits.length === 1 ? "" : `Edit ${plan.index + 1} of ${edits.length}: `;
    throw new ToolFailure(`${which}${plan.reason}\nNothing was changed in ${file.shown}`);
  }
  const data = codec.encode(mark + plan.text);
  const after = data.toString("utf8");
  const change = fileChange({ path: file.real, shown: file.shown, before: bytes.toString("utf8"), after });
  const places = plan.replaced === 1 ? "1 place" : `${plan.replaced} places`;
  const counts = countsOf(change);
  const result = textResult(`Edited ${file.shown} in ${places}${counts === "" ? "" : ` (${counts})`}`, change);
  const preview = filePreview({ change, text: after, bytes: bytes.length });
  return { kind: "change", data, before: stamp, look, preview, result };
}

async function textBytes({ real, shown }: AllowedPath): Promise<Buffer> {
  const { head } = await headOf({ real, shown });
  const kind = fileKind(head);
  const bytes = kind.kind === "text" && kind.encoding === "utf-8" ? await readFile(real) : undefined;
  if (bytes === undefined || bytes.includes(0)) {
    throw new ToolFailure(`${shown} is not UTF-8 text, and edit only changes text. Use bash with a suitable program`);
  }
  return bytes;
}

async function headOf({ real, shown }: Pick<AllowedPath, "real" | "shown">): ReturnType<typeof readHead> {
  try {
    return await readHead(real);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    throw new ToolFailure(`File not found: ${shown}\nUse write to create it, or find to look for it`);
  }
}

interface Codec {
  /** The byte order mark as it appears in decoded text. */
  readonly mark: string;
  decode(bytes: Buffer): string;
  encode(text: string): Buffer;
  /** Converts the text of an edit to the form in which it appears in decoded text. */
  widen(text: string): string;
}

/** A file with invalid UTF-8 is edited as bytes, one character each: decoding would replace the invalid ones. */
function codecFor(bytes: Buffer): Codec {
  if (isUtf8(bytes)) {
    return {
      mark: BYTE_ORDER_MARK,
      decode: (buffer) => buffer.toString("utf8"),
      encode: (text) => Buffer.from(text, "utf8"),
      widen: (text) => text,
    };
  }
  return {
    mark: Buffer.from(BYTE_ORDER_MARK, "utf8").toString("latin1"),
    decode: (buffer) => buffer.toString("latin1"),
    encode: (text) => Buffer.from(text, "latin1"),
    widen: (text) => Buffer.from(text, "utf8").toString("latin1"),
  };
}
