/** The notice for a session that needs no import. */
import { CommandError } from "../command-error.js";

export function ownSession(path: string): CommandError {
  return new CommandError("own-session", "This is already a Bough session", {
    data: { path },
    hint: "/resume opens it.",
  });
}
