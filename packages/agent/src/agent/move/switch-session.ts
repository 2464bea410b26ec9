/** Switches to another session: a new one, or one from a file. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SessionError } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { cancellation } from "../cancellation.js";
import { takeInTurns } from "../driver/left-turns.js";
import { leaveBy, tellArrived } from "../session-bounds.js";
import { takeInDrafts } from "../turn/take-in-drafts.js";

export type SwitchTarget =
  | { readonly reason: "new"; readonly id?: string; readonly parentSession?: string }
  | {
      readonly reason: "resume";
      readonly file: string;
      /** Called once the session is open, before anyone is notified: it may move to another entry. */
      readonly onOpen?: ((session: SessionManager) => void) | undefined;
    };

export type SwitchResult =
  | { readonly kind: "done"; readonly previousSessionFile?: string; readonly file?: string }
  | { readonly kind: "cancelled"; readonly by: string }
  | { readonly kind: "aborted" };

/** Where a switch would lead. Throws `session-not-found`, because a wrong path must not start an empty session. */
function planSwitch(target: SwitchTarget): { readonly targetSessionFile: string | undefined } {
  if (target.reason === "new") return { targetSessionFile: undefined };
  const file = resolve(target.file);
  if (existsSync(file)) return { targetSessionFile: file };
  throw new SessionError("session-not-found", `No session at ${file}`, {
    data: { path: file },
    hint: "List sessions with `bough ls`.",
  });
}

/** Asks extensions, switches, and notifies everyone. If the file cannot be opened, the agent stays where it was. */
export async function switchSession(
  parts: AgentParts,
  target: SwitchTarget,
  { signal }: OperationOptions,
): Promise<SwitchResult> {
  const { targetSessionFile } = planSwitch(target);
  const { reason } = target;
  const cancelled = await askToSwitch(parts, { reason, targetSessionFile, signal });
  if (cancelled !== undefined) return { kind: "cancelled", by: cancelled };
  if (signal.aborted) return { kind: "aborted" };
  const { session } = parts;
  const previousSessionFile = session.getSessionFile();
  const leave = (go: () => unknown) => leaveBy(parts, { reason, targetSessionFile }, go);
  if (target.reason === "resume") {
    await session.setSessionFileInSlices(targetSessionFile ?? target.file, leave);
    target.onOpen?.(session);
  } else {
    const { id, parentSession } = target;
    await leave(() => session.newSession(defined({ id, parentSession })));
  }
  await parts.files?.sessionChanged();
  const file = session.getSessionFile();
  parts.emit({ type: "session_changed", reason, ...defined({ file }) });
  if (reason === "resume") {
    takeInDrafts(parts);
    const settled = await takeInTurns(parts);
    if (settled.length > 0) await parts.files?.start(settled);
  }
  await parts.hooks.emit<"session_switch">({ type: "session_switch", reason, previousSessionFile });
  await tellArrived(parts, { reason, previousSessionFile });
  return { kind: "done", ...defined({ previousSessionFile, file }) };
}

/** The extension that cancelled it, if one did. */
async function askToSwitch(
  parts: AgentParts,
  event: {
    readonly reason: "new" | "resume";
    readonly targetSessionFile: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  if (!parts.hooks.has("session_before_switch")) return undefined;
  const { reason, targetSessionFile, signal } = event;
  let called = false;
  const cancel = () => {
    called = true;
  };
  const answers = await parts.hooks.emit<"session_before_switch">(
    { type: "session_before_switch", reason, targetSessionFile, cancel },
    { signal },
  );
  const asked = cancellation(answers, called);
  return asked.cancelled ? (asked.by ?? "an extension") : undefined;
}
