import { attempt } from "@bough/session/text/index.js";
import { addressParts, safeAddress } from "../shown-address.js";
import { StoreError } from "../store-error.js";
import { encryption } from "./encryption.js";

export const PERCENT_ENCODE =
  "Special characters in a password must be percent-encoded: %40 for @, %2F for /, %23 for #, %3A for :, %3F for ?.";

/** The address without its password, for messages. Throws `store-unknown` if it is not a valid URL. */
export function withoutPassword(url: string): string {
  checkDatabaseAddress(url);
  return safeAddress(url);
}

/** Throws `store-unknown` if it is not a URL, or if unescaped characters in a password split it in the wrong place. */
export function checkDatabaseAddress(url: string): void {
  const parts = addressParts(url);
  const parsed = attempt(() => new URL(url));
  const [path = ""] = /^[^?]*/.exec(parts?.after ?? "") ?? [];
  // A database address never has a number sign after the host, and its path never contains an @.
  const isCutShort = /[@#]/.test(path) || /^\?[^=]*@/.test(parts?.after ?? "") || parsed?.hash !== "";
  if (parts === undefined || parsed === undefined || isCutShort) {
    throw new StoreError("store-unknown", `Not a valid database address: ${safeAddress(url)}`, {
      hint: PERCENT_ENCODE,
    });
  }
  encryption(url);
}
