/** Turns failures of the server and the connection into store errors, which never contain a password. */
import { errorText } from "@bough/session/text/index.js";
import { StoreError } from "../store-error.js";
import { tlsFailure } from "./tls.js";

type Code = ConstructorParameters<typeof StoreError>[0];
interface Meaning {
  readonly code: Code;
  readonly says: (address: string, detail: string) => string;
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
  hint: "Ask an owner of the store for a role: bough store users add <user> --role writer. If its users have no roles, ask for permission to select, insert, update and delete in the schema bough.",
};
/** Retrying would not help. */
const CANNOT_STORE: Meaning = {
  code: "store-refused",
  says: (address, detail) => `${address} cannot store this: ${detail}`,
};
const OTHER_TABLES: Meaning = {
  code: "store-refused",
  says: (address, detail) => `The tables in ${address} are not as expected: ${detail}`,
  hint: "Update them with: bough store init <url>",
};
const POOLED: Meaning = {
  code: "store-refused",
  says: (address) => `A connection pooler in front of ${address} mixes up prepared statements`,
  hint: "Use session pooling instead of transaction pooling, or enable its support for prepared statements.",
};
const DAMAGED: Meaning = { code: "store-damaged", says: (address, detail) => `${address} is damaged: ${detail}` };

/** Errors of the functions in `team.ts`. */
const ASK_AN_OWNER = "An owner of the store can give roles: bough store users add <user> --role writer";

/** By SQLSTATE; two characters are a whole class. Other failures may be temporary. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "22": CANNOT_STORE,
  "23": CANNOT_STORE,
  "44": CANNOT_STORE,
  "54": CANNOT_STORE,
  "42": OTHER_TABLES,
  BG001: { code: "store-forbidden", says: (address, detail) => `${detail}: ${address}`, hint: ASK_AN_OWNER },
  BG002: { code: "store-forbidden", says: (address, detail) => `${detail}: ${address}`, hint: ASK_AN_OWNER },
  BG003: CANNOT_STORE,
  BG004: CANNOT_STORE,
  BG005: {
    code: "store-refused",
    says: (address, detail) => `${detail}: ${address}`,
    hint: "Create the user first, for example: createuser --pwprompt <name>",
  },
  "3F000": NOT_SET_UP,
  "42P01": NOT_SET_UP,
  "28P01": REFUSED,
  "28000": REFUSED,
  "3D000": { code: "store-refused", says: (address) => `The database of ${address} does not exist` },
  "42501": FORBIDDEN,
  "26000": POOLED,
  "42P05": POOLED,
  "25006": { code: "store-read-only", says: (address) => `${address} is read-only` },
  "53100": { code: "store-full", says: (address) => `${address} is out of space` },
  XX001: DAMAGED,
  XX002: DAMAGED,
};

export function postgresError(error: unknown, address: string): StoreError {
  if (error instanceof StoreError) return error;
  const unprotected = tlsFailure(error, address);
  if (unprotected !== undefined) return unprotected;
  const state = sqlState(error);
  const detail = errorText(error) || (state ?? "connection lost");
  // Too long for one string means too large for one statement.
  const isTooLarge = error instanceof RangeError || state === "ERR_STRING_TOO_LONG";
  const meaning = isTooLarge ? CANNOT_STORE : (MEANINGS[state ?? ""] ?? MEANINGS[state?.slice(0, 2) ?? ""]);
  if (meaning !== undefined) {
    const hint = meaning.hint === undefined ? {} : { hint: meaning.hint };
    return new StoreError(meaning.code, meaning.says(address, detail), { ...hint, cause: error });
  }
  const hint = "Nothing was lost. The next sync tries again.";
  return new StoreError("store-unreachable", `Cannot reach ${address}: ${detail}`, { hint, cause: error });
}

function sqlState(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
