import type { SessionManager } from "../../session/index.js";
import type { EventRelay } from "../event-relay.js";

/** Says which lines of the session's file could not be read as they stand. Nothing is done about them (keeps I6). */
export function tellDamage(session: SessionManager, relay: EventRelay): void {
  const problems = session.getProblems();
  const [first] = problems;
  if (first === undefined) return;
  const place = first.line === 0 ? "" : `, line ${first.line}`;
  const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
  relay.notice(
    "warning",
    `The session file is damaged${place}: ${first.cause}; ${first.effect}${more}`,
    `Everything else was read, and the session can continue: ${session.getSessionFile()}`,
  );
}
