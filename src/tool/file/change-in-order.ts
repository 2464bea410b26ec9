import { absolutePath } from "../path/absolute-path.js";
import { type AllowedPath, allowedPath, type PathUse } from "../path/allowed-path.js";
import type { ToolContext } from "../tool.js";
import { inFileOrder } from "./file-queue.js";

/**
 * Changes a file after every change that was asked for before, also where another name leads to the same file. The place
 * in the line is taken at once: looking the path up and asking for permission takes longer for one call than for the
 * next, and an edit must not come before the write it follows. Names differ only where a link is involved; those meet at
 * the real path.
 */
export function changeInOrder<Result>(
  use: PathUse,
  context: ToolContext,
  change: (file: AllowedPath) => Promise<Result>,
): Promise<Result> {
  // Marked, because the same text as a real path is a line of its own, and a call would wait for itself.
  return inFileOrder(`asked for ${absolutePath(use.path, context.cwd)}`, async () => {
    const file = await allowedPath(use, context);
    return inFileOrder(file.real, () => change(file));
  });
}
