/** Names of contents in a store: the hash of the content, or a sealed name that only the key leads to. */
import { hashOf } from "../checkpoint/index.js";
import type { StoredContent } from "./store.js";
import { StoreError } from "./store-error.js";

/** Longer than a hash, so that the two cannot be mixed up. */
const SEALED = "5e";

/** From 64 hex characters. */
export function sealedName(name: string): string {
  return `${SEALED}${name}`;
}

/** A sealed content cannot be checked without its key. */
export function isContentOf(name: string, content: Uint8Array): boolean {
  return name.length === SEALED.length + 64 || hashOf(content) === name;
}

export function checkContents(contents: readonly StoredContent[]): void {
  for (const { hash, content } of contents) if (!isContentOf(hash, content)) throw wrongContent(hash);
}

/** For a content that is not what its name says. */
export function wrongContent(name: string, address?: string): StoreError {
  const where = address === undefined ? "" : ` in ${address}`;
  return new StoreError("store-damaged", `The content${where} does not match its hash ${name}`, {
    data: { hash: name },
    hint: "It is not used.",
  });
}
