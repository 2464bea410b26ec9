/** Changes a file: plans, asks for permission, applies; one change at a time per file. */
import { absolutePath } from "../path/absolute-path.js";
import { type AllowedPath, askPermission, locatePath } from "../path/allowed-path.js";
import type { FilePreview, PermissionRequest, ToolContext, ToolResult } from "../tool.js";
import { type EditorFiles, type EditorLook, NO_EDITOR, writeInEditor } from "./editor-files.js";
import type { FileChange } from "./file-change.js";
import { type FileStamp, replaceFile } from "./replace-file.js";

export type ChangePlan =
  /** Nothing to change; the result says so. */
  | { readonly kind: "nothing"; readonly result: ToolResult<FileChange> }
  | {
      readonly kind: "change";
      readonly data: Buffer;
      readonly before: FileStamp;
      /** The editor's view of the file when the change was planned. */
      readonly look?: EditorLook;
      readonly preview: FilePreview;
      readonly result: ToolResult<FileChange>;
    };

interface ChangeRequest {
  readonly tool: string;
  /** As the model wrote it. */
  readonly path: string;
  /** Only reads. Throws a `ToolFailure` if the change cannot be made. */
  readonly plan: (file: AllowedPath, context: ToolContext) => Promise<ChangePlan>;
  /** Writes through the editor, if there is one. */
  readonly editor?: EditorFiles | undefined;
}

/**
 * Plans the change, asks permission with a preview, and writes exactly what was previewed: if the file changed or a
 * link appeared in its path meanwhile, nothing is written. A change that cannot be made fails before the user is asked.
 *
 * Changes to a file are applied in the order of the calls, even if they use different names for it. Calls are queued by
 * name at once, because resolving the path takes longer for one call than for another, and an edit must not overtake
 * the write before it; then by real path, where different names of the same file (links) meet.
 */
export function changeFile(request: ChangeRequest, context: ToolContext): Promise<ToolResult<FileChange>> {
  const { tool, path } = request;
  // Prefixed, because a name that equals the real path would share its queue, and the call would wait for itself.
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
  // Without read permission the model must learn nothing about the file, not even that an edit does not fit.
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

/**
 * One change at a time per file: tool calls run in parallel, and of two edits that read the same text one would be
 * lost.
 */
const last = new Map<string, Promise<void>>();

/** Runs the work after all earlier work with the same key, in call order. A failure does not affect later work. */
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
    // Only the last in the queue removes the entry, so the map holds only files in use.
    if (last.get(path) === settled) last.delete(path);
  }
}
