/** From what a user typed to a session, also if it is only in the store: then it is fetched first. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SessionError } from "../entry/index.js";
import { boughHome } from "../session/index.js";
import type { SessionPlaces } from "../session/internal.js";
import { defined } from "../text/index.js";
import { type FoundSession, findAnySession } from "./find-session.js";

interface FindOrFetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** `later`: only what is needed to open it, unless an entry is named; see `SessionSync`. Default: `now`. */
  readonly rest?: "now" | "later" | undefined;
  /** Told before the store is asked. */
  readonly onAsk?: () => void;
  /** Told the name of the store the session came from. */
  readonly onFetched?: (store: string) => void;
}

/**
 * As `findAnySession`. Nothing is fetched for who names a file or a folder of sessions. If the store cannot be asked,
 * that is in the hint of `session-not-found`: most of the time a name is mistyped.
 */
export async function findOrFetch(
  reference: string,
  places: SessionPlaces,
  options: FindOrFetchOptions = {},
): Promise<FoundSession> {
  try {
    return await findAnySession(reference, places, defined({ signal: options.signal }));
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "session-not-found" || places.dir !== undefined) throw error;
    if (/[/\\]|\.jsonl$/.test(reference) || !existsSync(join(boughHome(), "stores.json"))) throw error;
    options.onAsk?.();
    const found = await fetchedFor(reference, { ...options, cwd: places.cwd }).catch(notAsked(error));
    if (found === undefined) throw error;
    options.onFetched?.(found.store);
    return found;
  }
}

async function fetchedFor(
  reference: string,
  { cwd, signal, rest = "now" }: FindOrFetchOptions & { readonly cwd: string },
): Promise<(FoundSession & { readonly store: string }) | undefined> {
  const { fetchFromStore } = await import("./fetch-from-store.js");
  const [, session = reference, entry] = /^(.+?)#(.+)$/s.exec(reference) ?? [];
  // An entry that is asked for may be anywhere in the tree.
  const found = await fetchFromStore(session, { cwd, signal, rest: entry === undefined ? rest : "now" });
  if (found !== undefined) return { ...found, ...defined({ entry }) };
  return entry === undefined ? undefined : fetchFromStore(reference, { cwd, signal, rest });
}

function notAsked(error: SessionError): (cause: unknown) => never {
  return (cause) => {
    const { name, message } = cause as { readonly name?: string; readonly message?: string };
    if (name !== "StoreError") throw cause;
    throw new SessionError("session-not-found", error.message, {
      data: error.data,
      hint: `It is not on this machine, and the store could not be asked: ${message}.`,
      cause,
    });
  };
}
