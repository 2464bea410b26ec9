/** A new session from the path before a user message. */
import { type EntryId, entryText, isPrompt } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ForkResult, NavigateOptions } from "../../extension/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { moveWithFiles } from "../files/move-files.js";
import { leaveBy } from "../session-bounds.js";
import { askBeforeFork, reportFork } from "./ask-before-fork.js";

export interface ForkPlan {
  readonly entryId: EntryId;
  /** For the editor of the new session. */
  readonly selectedText: string;
  /** Where the new session ends; `null` starts an empty one. */
  readonly leafId: EntryId | null;
  readonly position: "before" | "at";
  /** What happens to the files. */
  readonly files?: Pick<NavigateOptions, "files" | "conflicts">;
}

/**
 * What a fork would copy: the path before a user message, or with `at` the path to any entry. Reads only. Throws
 * `Entry <id> not found` and `not-a-user-message`.
 */
export function planFork(
  session: Pick<SessionManager, "getEntry">,
  entryId: EntryId,
  { position = "before" }: { readonly position?: "before" | "at" } = {},
): ForkPlan {
  const entry = session.getEntry(entryId);
  if (entry === undefined) throw entryNotFound(entryId);
  if (position === "at") return { entryId, selectedText: "", leafId: entryId, position };
  if (!isPrompt(entry)) {
    throw new AgentError("not-a-user-message", `Not a user message, so it cannot be forked from: ${entryId}`, {
      data: { entryId, type: entry.type },
      hint: "Choose a user message, or use clone to copy the whole path.",
    });
  }
  const { parentId } = entry;
  const known = parentId !== null && session.getEntry(parentId) !== undefined;
  return { entryId, selectedText: entryText(entry), leafId: known ? parentId : null, position };
}

interface ForkOptions extends Pick<NavigateOptions, "files" | "conflicts"> {
  /** `at`: the entry itself is copied too. */
  readonly position?: "before" | "at";
}

/** Creates the new session and switches to it; the old file is unchanged. A session in memory stays in memory. */
async function applyFork(parts: AgentParts, plan: ForkPlan, options: OperationOptions): Promise<ForkResult> {
  const { session } = parts;
  const { entryId, selectedText, leafId, position } = plan;
  const asked = await askBeforeFork(parts, { entryId, position, ...options });
  if (asked.cancelled) {
    return {
      kind: asked.by === undefined ? "aborted" : "cancelled",
      selectedText,
      cancelled: true,
      inPlace: false,
      ...defined({ cancelledBy: asked.by }),
    };
  }
  const previousSessionFile = session.getSessionFile();
  const leave = <Result>(go: () => Result) => leaveBy(parts, { reason: "fork" }, go);
  const newSession = () => session.newSession(defined({ parentSession: previousSessionFile }));
  let newSessionFile: string | undefined;
  const files = await moveWithFiles(parts, { to: leafId, ...plan.files, ...options }, async () => {
    newSessionFile =
      leafId === null ? await leave(newSession) : await session.createBranchedSessionInSlices(leafId, leave);
  });
  await reportFork(parts, { entryId, previousSessionFile });
  return {
    kind: "done",
    selectedText,
    cancelled: false,
    inPlace: false,
    ...defined({ newSessionFile, files }),
  };
}

/** Plans and applies. */
export async function fork(
  parts: AgentParts,
  request: OperationOptions & ForkOptions & { readonly entryId: EntryId },
): Promise<ForkResult> {
  const { files, conflicts, signal } = request;
  const plan = planFork(parts.session, request.entryId, request);
  return applyFork(parts, { ...plan, files: { files, conflicts } }, { signal });
}
