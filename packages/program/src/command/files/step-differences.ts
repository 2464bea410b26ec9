/** What was recorded between two entries of one path, as diffs. */

import type { FileDifference } from "@bough/session/view/door.js";
import { diffFiles, filesBetween } from "@bough/workbench/checkpoint/index.js";
import type { CommandContext } from "../command.js";
import { filesPlace } from "./files-place.js";

/** Numbers of entries, exactly as they are: unlike `/diff`, nothing that belongs to their step is added. */
export async function* stepDifferences(
  context: Pick<CommandContext, "agent" | "cwd" | "home">,
  ends: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): AsyncGenerator<FileDifference> {
  const { store } = await filesPlace(context);
  const found = await filesBetween(context.agent.session.getSource(), ends, { store, signal });
  yield* diffFiles(found, { store, signal });
}
