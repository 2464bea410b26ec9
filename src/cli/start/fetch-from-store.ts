/** A session that is only in a store: fetched, so that it can be opened like any other. */
import { boughHome } from "../../session/index.js";
import { matchByIdOrName } from "../../session/internal.js";
import { fetchSession, namedStores, openStore, SyncStates } from "../../store/index.js";
import { withoutControls } from "../../text/index.js";
import { CliError } from "../cli-error.js";
import { chosenStore } from "../subcommand/store/look-in-store.js";

const MOST_CANDIDATES = 10;

/** Its file; undefined if no store is set up or it has no such session. Rejects if the store cannot be reached. */
export async function fetchFromStore(reference: string, cwd: string): Promise<string | undefined> {
  const home = boughHome();
  if (namedStores(home).length === 0) return undefined;
  const { address, passphrase } = chosenStore(cwd, undefined);
  const store = await openStore(address, { home, passphrase });
  try {
    const sessions = (await store.list()).filter(({ removed }) => removed !== true);
    const found = matchByIdOrName(sessions, reference, { nameOf: ({ title }) => title, leastStart: 4 });
    const [one] = found;
    if (one === undefined) return undefined;
    if (found.length > 1) {
      const lines = found.slice(0, MOST_CANDIDATES).map(({ id, title = "" }) => `  ${id}  ${title}`);
      throw new CliError("ambiguous-session", `Several sessions in the store match ${reference}`, {
        data: { reference, candidates: found.slice(0, MOST_CANDIDATES).map(({ id, title }) => ({ id, name: title })) },
        hint: withoutControls(["Give more of the ID:", ...lines].join("\n")),
      });
    }
    const states = new SyncStates(home, address);
    // It may have been deleted here: opening it by name means that it is wanted again.
    states.delete(one.id);
    const fetched = await fetchSession({ store, states, sessionId: one.id, cwd });
    await fetched.rest();
    return fetched.file;
  } finally {
    await store.close();
  }
}
