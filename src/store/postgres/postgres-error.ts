/** Failures of the server and of the connection as failures of a store. They never show a password. */
import { errorText } from "../../text/index.js";
import { StoreError } from "../store-error.js";

type Code = ConstructorParameters<typeof StoreError>[0];
interface Meaning {
  readonly code: Code;
  readonly says: (address: string) => string;
  readonly hint?: string;
}

const NOT_SET_UP: Meaning = {
  code: "store-not-set-up",
  says: (address) => `No store in ${address} yet`,
  hint: "Create its tables with: bough store init <url>",
};
const REFUSED: Meaning = { code: "store-refused", says: (address) => `${address} rejected the user name or password` };
const FORBIDDEN: Meaning = {
  code: "store-refused",
  says: (address) => `Permission denied in ${address}`,
  hint: "Ask for rights on the schema bough: select, insert and update.",
};

/** By SQLSTATE; two characters are a whole class. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "3F000": NOT_SET_UP,
  "42P01": NOT_SET_UP,
  "28P01": REFUSED,
  "28000": REFUSED,
  "3D000": { code: "store-refused", says: (address) => `The database of ${address} does not exist` },
  "42501": FORBIDDEN,
  "25006": { code: "store-read-only", says: (address) => `${address} is read-only` },
  "53": { code: "store-full", says: (address) => `${address} is out of space or connections` },
};

export function postgresError(error: unknown, address: string): StoreError {
  if (error instanceof StoreError) return error;
  const state = (error as { readonly code?: unknown } | null)?.code;
  const meaning = typeof state === "string" ? (MEANINGS[state] ?? MEANINGS[state.slice(0, 2)]) : undefined;
  if (meaning !== undefined) {
    const hint = meaning.hint === undefined ? {} : { hint: meaning.hint };
    return new StoreError(meaning.code, meaning.says(address), { ...hint, cause: error });
  }
  const detail = errorText(error) || String(state ?? "connection lost");
  const hint = "Nothing was lost. The next sync tries again.";
  return new StoreError("store-unreachable", `Cannot reach ${address}: ${detail}`, { hint, cause: error });
}
