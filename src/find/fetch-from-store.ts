/** A session that is only in the store: fetched, so that it can be used like any other. */

import { boughHome } from "../session/index.js";
import { fetchStored } from "../store/internal.js";
import { withoutControls } from "../text/index.js";
import { CliError } from "../cli/cli-error.js";

const MOST_CANDIDATES = 10;

interface FetchRequest {
  readonly cwd: string;
  /** `later`: only what is needed to open it; see `SessionSync`. */
  readonly rest: "now" | "later";
  readonly signal?: AbortSignal | undefined;
}

/**
 * Its file and the name of the store; undefined if no store is set up or it has no such session. Throws
 * `ambiguous-session`, and a `StoreError` if the store cannot be reached.
 */
export async function fetchFromStore(
  reference: string,
  request: FetchRequest,
): Promise<{ readonly file: string; readonly store: string } | undefined> {
  const fetched = await fetchStored({ ...request, home: boughHome(), reference });
  if (fetched.kind !== "several") return fetched.kind === "none" ? undefined : fetched;
  const shown = fetched.sessions.slice(0, MOST_CANDIDATES);
  const lines = shown.map(({ id, title = "" }) => `  ${id}  ${title}`);
  throw new CliError("ambiguous-session", `Several sessions in the store match ${reference}`, {
    data: { reference, candidates: shown.map(({ id, title }) => ({ id, name: title })) },
    hint: withoutControls(["Give more of the ID:", ...lines].join("\n")),
  });
}
