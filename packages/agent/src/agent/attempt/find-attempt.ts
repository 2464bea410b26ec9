import { AgentError } from "../agent-error.js";
import type { Attempt } from "./attempt.js";

/** An attempt by its name, its number if only one try has it, or the start of an entry ID. Throws `unknown-attempt`. */
export function findAttempt(attempts: readonly Attempt[], wanted: string): Attempt {
  const word = wanted.trim();
  const named = attempts.findLast(({ name }) => name === word || name === `attempt-${word}`);
  const byId =
    word.length < 4 ? [] : attempts.filter(({ entryId, tipId }) => [entryId, tipId].some((id) => id.startsWith(word)));
  const found = named ?? (byId.length === 1 ? byId[0] : undefined);
  if (found !== undefined) return found;
  const known = attempts.map(({ name }) => name);
  throw new AgentError("unknown-attempt", `No attempt is called ${word}`, {
    data: { attempt: word, known },
    hint: known.length === 0 ? "This session has no attempts." : `Its attempts: ${known.slice(-20).join(", ")}`,
  });
}
