/** Live updates of a session: what other processes write, as they write it. */
import type { EntryId, Problem } from "../entry/index.js";
import { watchFile } from "../log/index.js";

export type FollowEvent =
  /** Entries that others wrote, oldest first; they can now be read from the session. */
  | { readonly kind: "entries"; readonly ids: readonly EntryId[] }
  /** New damage in the file. */
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  | { readonly kind: "vanished" }
  | { readonly kind: "failed"; readonly error: unknown };

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** How often to check if the file system sends no notifications. */
  readonly pollMs?: number;
  readonly mode?: "auto" | "poll";
}

/** What following needs of a session. */
interface Followed {
  getSessionFile(): string | undefined;
  refresh(): EntryId[];
  getProblems(): readonly Problem[];
}

/** Starts with what is in the file that the session has not read yet. Returns a function that stops following. */
export function followSession(
  session: Followed,
  listener: (event: FollowEvent) => void,
  options: FollowOptions,
): () => void {
  const file = session.getSessionFile();
  if (file === undefined || options.signal?.aborted) return () => {};
  let problemsReported = lastingProblems(session).length;

  function look(): void {
    let ids: EntryId[];
    try {
      ids = session.refresh();
    } catch (error) {
      listener({ kind: "failed", error });
      return;
    }
    if (ids.length > 0) listener({ kind: "entries", ids });
    const problems = lastingProblems(session);
    if (problems.length > problemsReported) listener({ kind: "problems", problems: problems.slice(problemsReported) });
    problemsReported = problems.length;
  }

  const watch = watchFile(
    file,
    (change) => (change.kind === "vanished" ? listener({ kind: "vanished" }) : look()),
    options,
  );
  look();
  return () => watch.close();
}

/** A last line without its end may still be being written. If it is torn for good, the next writer reports it. */
function lastingProblems(session: Followed): readonly Problem[] {
  return session.getProblems().filter(({ code }) => code !== "torn-tail");
}
