/** Names of contents in a store: the hash of the content, or a sealed name that takes the key to compute. */
import { hashOf } from "../checkpoint/index.js";
import type { StoredContent } from "./store.js";
import { StoreError } from "./store-error.js";

/** Makes sealed names longer than hashes, so that the two cannot be mixed up. */
const SEALED = "5e";

/** Takes 64 hex characters. */
export function sealedName(name: string): string {
  return `${SEALED}${name}`;
}

/** True for every sealed content, which cannot be checked without its key. */
export function isContentOf(name: string, content: Uint8Array): boolean {
  return name.length === SEALED.length + 64 || hashOf(content) === name;
}

export function checkContents(contents: readonly StoredContent[]): void {
  for (const { hash, content } of contents) if (!isContentOf(hash, content)) throw wrongContent(hash);
}

/** The error for a content that does not match its name. */
export function wrongContent(name: string, address?: string): StoreError {
  const where = address === undefined ? "" : ` in ${address}`;
  return new StoreError("store-damaged", `The content${where} does not match its hash ${name}`, {
    data: { hash: name },
    hint: "The content was not used.",
  });
}
