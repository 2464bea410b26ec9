/** Writes a path as a rollout that `codex resume` can continue. */
import { join } from "node:path";
import type { ForeignWriter, WriteLoss, WritePlan, WriteRequest } from "../../contract.js";
import { hasEntry } from "../../conversion/picked-path.js";
import { countOf, plannedLines } from "../../conversion/planned-lines.js";
import { foreignSessionId, isConversationEntry } from "../../foreign-entry.js";
import { editedEntries } from "../../import/edited-entries.js";
import { InteropError } from "../../interop-error.js";
import { codexHome } from "../codex-places.js";
import { codexProvider } from "../codex-provider.js";
import { NAME_LOSS } from "./write-losses.js";
import { Rollout } from "./write-rollout.js";

export const codexWriter: ForeignWriter = { agent: "codex", planWrite: planRollout };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Codex silently starts an empty session if the ID is not a UUID or a line has no time, so both are ensured. History is
 * written in the format that every version reads. Turn settings are included if Codex itself wrote them.
 */
function planRollout(request: WriteRequest): WritePlan {
  const { cwd, now, places } = request;
  const path = editedEntries(request.entries);
  if (!hasEntry(path, isConversationEntry)) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry that has a conversation above it.",
    });
  }
  const made = request.newId();
  const sessionId = UUID.test(made) ? made : foreignSessionId("codex", made);
  const start = now();
  const provider = codexProvider(codexHome(places));
  const identity = { id: sessionId, timestamp: start.toISOString(), cwd, provider };
  const rollout = new Rollout(path, identity);
  const losses: WriteLoss[] = [];
  const count = countOf(rollout.records((loss) => losses.push(loss)));
  return {
    agent: "codex",
    path: pathOf(codexHome(places), sessionId, start),
    sessionId,
    lines: plannedLines(count, () => rollout.records()),
    losses: [...losses, ...titleLoss(request, losses)],
    resume: { command: ["codex", "resume", sessionId], cwd },
  };
}

/** Reported only once, in case an entry on the path has already reported it. */
function titleLoss({ title, entries }: WriteRequest, losses: readonly WriteLoss[]): readonly WriteLoss[] {
  if (title === undefined || losses.some(({ what }) => what === NAME_LOSS.what)) return [];
  return [{ entryId: entries.at(entries.length - 1)?.id ?? "", ...NAME_LOSS }];
}

/** Codex names folders and files in local time. */
function pathOf(home: string, id: string, start: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = [String(start.getFullYear()), two(start.getMonth() + 1), two(start.getDate())] as const;
  const clock = [start.getHours(), start.getMinutes(), start.getSeconds()].map(two).join("-");
  return join(home, "sessions", ...day, `rollout-${day.join("-")}T${clock}-${id}.jsonl`);
}
