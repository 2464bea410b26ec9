import { type EntryId, SessionError } from "../entry/index.js";
import type { Presence } from "../log/index.js";
import type { SessionPlace } from "./open/new-session.js";
import type { FoundSession } from "./open/read-session.js";
import type { FilledOptions } from "./session-options.js";
import type { Attachments } from "./write/attachments.js";

/**
 * What an open session holds between calls. `SessionManager` keeps one; the functions of `reading.ts`, `appending.ts` and
 * `opening.ts` work on it. As a place it says where new sessions go.
 */
export interface OpenSession extends SessionPlace {
  cwd: string;
  options: FilledOptions;
  /** The file or log it is at. Going to another one replaces all of it. */
  at: SessionAt;
  closed: boolean;
  readonly attachments: Attachments;
}

/** A file or log, and where in it a session is. */
export interface SessionAt extends FoundSession {
  leafId: EntryId | null;
  /**
   * This session took its position: it moved, added to the conversation, or stayed where it was while others continued.
   * One that only read, or only left a label or a name, has none to record when it closes (keeps I4).
   */
  holdsPosition: boolean;
  /** It began elsewhere than its file says: who goes back there has chosen to, and that is recorded. */
  beganElsewhere: boolean;
  presence: Presence | undefined;
}

export function assertOpen({ closed }: OpenSession): void {
  if (closed) throw new SessionError("closed", "This session is closed");
}
