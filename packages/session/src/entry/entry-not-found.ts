import { SessionError } from "./session-error.js";

/** The failure of naming an entry that is not there, in the words of the session. */
export function entryNotFound(id: string): SessionError {
  return new SessionError("entry-not-found", `Entry ${id} not found`, { data: { id } });
}
