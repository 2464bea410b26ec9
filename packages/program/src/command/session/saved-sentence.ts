/** What is said when a session is closed. */
import type { SessionManager } from "@bough/session/session/index.js";
import { counted, firstWords } from "@bough/session/text/index.js";

/** Where the session was saved, and `To resume: bough -r 01a0…`; "" if there is nothing to resume. */
export function savedSentence(session: SessionManager | undefined): string {
  const file = session?.getSessionFile();
  if (session === undefined || file === undefined || session.getSource().tree.count === 0) return "";
  const name = session.getSessionName();
  const what = name === undefined ? "Session saved" : `Saved "${firstWords(name, 60)}"`;
  const waiting = session.getWaitingCount();
  const but = waiting === 0 ? "" : `, except its last ${counted(waiting, "entry", "entries")},`;
  return `${what}${but} in ${file}\nTo resume: bough -r ${session.getSessionId()}`;
}
