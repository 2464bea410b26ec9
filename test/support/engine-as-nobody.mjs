// Does one thing to a session as the user nobody, who may do little, and prints what came of it.
import { findMostRecentSession, listSessions, SessionManager } from "../../dist/session/index.js";

const [act, path] = process.argv.slice(2);
process.setgid(65534);
process.setuid(65534);

const message = { role: "user", content: "from nobody", timestamp: 1 };

function described(session) {
  return { ids: session.getEntries().map(({ id }) => id), readOnly: session.getReadOnlyReason()?.kind ?? null };
}

/** Appends to a session and says how that ended. */
function append(session) {
  try {
    session.appendMessage(message);
    return "written";
  } catch (error) {
    return {
      name: error.name,
      code: error.code,
      waiting: session.getWaitingCount(),
      leaf: session.getLeafId() !== null,
    };
  }
}

const acts = {
  create: () => append(SessionManager.create("/w", path)),
  write: () => append(SessionManager.open(path)),
  read: () => described(SessionManager.open(path, undefined, { readOnly: true })),
  list: async () => (await listSessions(path)).map(({ id }) => id),
  recent: () => findMostRecentSession(path),
  continue: () => described(SessionManager.continueRecent("/w", path)),
};

try {
  console.log(JSON.stringify(await acts[act]()));
} catch (error) {
  console.log(JSON.stringify({ name: error.name, code: error.code, message: error.message }));
}
