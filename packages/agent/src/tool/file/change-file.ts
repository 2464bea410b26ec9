/** A change to a file: planned, asked about, applied, one at a time for each file. */
import { absolutePath } from "../path/absolute-path.js";
import { type AllowedPath, askPermission, locatePath } from "../path/allowed-path.js";
import type { FilePreview, PermissionRequest, ToolContext, ToolResult } from "../tool.js";
import { type EditorFiles, type EditorLook, NO_EDITOR, writeInEditor } from "./editor-files.js";
import type { FileChange } from "./file-change.js";
import { type FileStamp, replaceFile } from "./replace-file.js";

export type ChangePlan =
  /** There is nothing to do; the result says so. */
  | { readonly kind: "nothing"; readonly result: ToolResult<FileChange> }
  | {
      readonly kind: "change";
      readonly data: Buffer;
      readonly before: FileStamp;
      /** What the editor said about the file when the change was planned. */
      readonly look?: EditorLook;
      readonly preview: FilePreview;
      readonly result: ToolResult<FileChange>;
    };

interface ChangeRequest {
  readonly tool: string;
  /** As the model wrote it. */
  readonly path: string;
  /** Only reads. Throws a `ToolFailure` where the change cannot be made. */
  readonly plan: (file: AllowedPath, context: ToolContext) => Promise<ChangePlan>;
  /** Who writes, if it is not the disk. */
  readonly editor?: EditorFiles | undefined;
}

/**
 * Plans, asks with what would change, and writes exactly that: where the file is another one by then, or a link was put
 * in the way, nothing is written. A change that cannot be made fails before anyone is asked.
 *
 * It comes after every change that was asked for before, even if another name leads to the same file. The place in the
 * line is taken at once: looking the path up takes longer for one call than for the next, and an edit must not come
 * before the write it follows. Names differ only if a link is involved; those meet at the real path.
 */
export function changeFile(request: ChangeRequest, context: ToolContext): Promise<ToolResult<FileChange>> {
  const { tool, path } = request;
  // Marked, because the same text as a real path is its own line, and a call would wait for itself.
  return inFileOrder(`asked for ${absolutePath(path, context.cwd)}`, async () => {
    const file = await locatePath({ tool, action: "write", path }, context);
    return inFileOrder(file.real, () => change(request, file, context));
  });
}

async function change(
  { tool, plan, editor }: ChangeRequest,
  file: AllowedPath & { readonly readable: boolean },
  context: ToolContext,
): Promise<ToolResult<FileChange>> {
  context.signal.throwIfAborted();
  const planned = await settled(plan(file, context));
  const request = { tool, action: "write", target: file.real } as const;
  // Of a file that it may not read, the model hears nothing before someone allowed it: not even that an edit fails.
  const isOpen = file.readable;
  if (planned.kind === "failed") {
    if (!isOpen) await askPermission({ ...request, note: "This change does not fit the file and will fail." }, context);
    throw planned.error;
  }
  const { value } = planned;
  if (value.kind === "nothing") {
    if (!isOpen) await askPermission({ ...request, note: "The file already has exactly this content." }, context);
    return value.result;
  }
  await askPermission({ ...request, preview: value.preview } satisfies PermissionRequest, context);
  context.signal.throwIfAborted();
  const { data, before, look = NO_EDITOR } = value;
  const written = await context.beforeWrite?.(file.real, data);
  const { real: path, shown } = file;
  const { callId: token, signal } = context;
  if (!(await writeInEditor(editor, { path, shown, look, stamp: before, data, signal }))) {
    await replaceFile({ path, data, before, token, signal });
  }
  await written?.();
  return value.result;
}

async function settled(plan: Promise<ChangePlan>) {
  try {
    return { kind: "planned", value: await plan } as const;
  } catch (error) {
    return { kind: "failed", error } as const;
  }
}

/** One change at a time per file: tool calls run in parallel, and two edits that read the same text would lose one. */
const last = new Map<string, Promise<void>>();

/** Runs the work after all earlier work on the same real path, in the order in which this is called. A failure stops no one else. */
async function inFileOrder<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(path) ?? Promise.resolve();
  const result = before.then(work);
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  last.set(path, settled);
  try {
    return await result;
  } finally {
    // Only the last in line clears the entry, so the map holds files in use and nothing else.
    if (last.get(path) === settled) last.delete(path);
  }
}
