import { type EntryId, SessionError } from "../entry/index.js";
import type { Presence } from "../log/index.js";
import type { SessionPlace } from "./open/new-session.js";
import type { FoundSession } from "./open/read-session.js";
import type { FilledOptions } from "./session-options.js";
import type { Attachments } from "./write/attachments.js";

/**
 * What an open session holds between calls. `SessionManager` keeps one; the functions of `reading.ts`, `appending.ts`
 * and `opening.ts` work on it. As a SessionPlace it says where new sessions are created.
 */
export interface OpenSession extends SessionPlace {
  cwd: string;
  options: FilledOptions;
  /** The current file or log. Switching to another one replaces all of it. */
  at: SessionAt;
  closed: boolean;
  /** Its position is never recorded: that of the session it was opened from counts. */
  readonly isAside: boolean;
  readonly attachments: Attachments;
}

/** A file or log, and the session's position in it. */
export interface SessionAt extends FoundSession {
  leafId: EntryId | null;
  /**
   * This session chose its position: it moved, added to the conversation, or stayed where it was while others
   * continued. A session that only read, or only set a label or a name, has no position to record when it closes (keeps
   * I4).
   */
  holdsPosition: boolean;
  /** It started at an entry other than the file's leaf: going back to that leaf is then a choice and is recorded. */
  beganElsewhere: boolean;
  presence: Presence | undefined;
}

export function assertOpen({ closed }: OpenSession): void {
  if (closed) throw new SessionError("closed", "This session is closed");
}
