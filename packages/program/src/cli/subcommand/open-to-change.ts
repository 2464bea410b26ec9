/** Opens a session for writing. */
import { SessionError } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import type { SubcommandCall } from "./subcommand.js";

/** Upgrades an old version first, and says so. Throws `read-only` if the file must not be written to. */
export function openToChange(file: string, { out }: Pick<SubcommandCall, "out">): SessionManager {
  const session = SessionManager.open(file);
  const backup = session.getUpgradeBackup();
  if (backup !== undefined)
    out.notice(`bough: The session was upgraded from an earlier version. The original is saved as ${backup}`);
  const reason = session.getReadOnlyReason();
  if (reason === undefined) return session;
  session.close();
  throw new SessionError("read-only", reason.message, { hint: reason.hint, data: { path: file, reason: reason.kind } });
}
