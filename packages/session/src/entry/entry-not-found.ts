import { SessionError } from "./session-error.js";

/** The failure to find an entry, in the session's words. */
export function entryNotFound(id: string): SessionError {
  return new SessionError("entry-not-found", `Entry ${id} not found`, { data: { id } });
}
