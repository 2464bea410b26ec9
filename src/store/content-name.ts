/** Names of contents in a store: the hash of the content, or a sealed name that only the key leads to. */
import { hashOf } from "../checkpoint/index.js";
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

export function checkContent(name: string, content: Uint8Array): void {
  if (!isContentOf(name, content)) throw new StoreError("store-damaged", `The content does not match its hash ${name}`);
}
