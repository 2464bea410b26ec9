/** Files of another entry, while the conversation stays where it is. */

import type { MoveFilesOptions } from "@bough/agent/extension/internal.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { joinNotices } from "@bough/session/text/index.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";
import { movedFilesNotice } from "./file-sentences.js";

interface RestoreRequest extends Pick<MoveFilesOptions, "conflicts" | "protected"> {
  readonly to: EntryId | null;
  readonly paths?: readonly string[];
}

/** Says how to get the previous files back: the branch has a record of them. */
export async function restoreHere(context: CommandContext, request: RestoreRequest): Promise<CommandOutcome> {
  const { to, ...options } = request;
  const { agent } = context;
  const before = agent.session.getLeafId();
  const files = await agent.restoreFiles(to, options);
  const said = movedFilesNotice(files);
  if (files.kind !== "followed" || files.written.length + files.deleted.length === 0)
    return unchanged(
      said.message === "" ? SENTENCES.stayed : said,
      files.kind === "failed" ? "restore-failed" : undefined,
    );
  const back = before === null ? "" : { message: "", hint: `To undo this: /restore ${before}` };
  return { kind: "done", ...joinNotices(said, "The conversation stays here.", back), data: { files } };
}
