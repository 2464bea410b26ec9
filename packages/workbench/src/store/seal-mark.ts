/** How an encrypted store is recognized without its key. */
import type { StoredSession } from "./store.js";
import { lineFacts } from "./stored-line.js";

/** A session with one sealed line, which only opens with the right passphrase. */
export const SEAL_MARK = "bough-encrypted";

export function isSealMark({ id, removed }: StoredSession): boolean {
  return id === SEAL_MARK && removed !== true;
}

const SEALED = "sealed";

/** A valid entry, so that every driver accepts it. Its ID is derived from its content and reveals nothing. */
export function sealedLine(id: string, sealed: Uint8Array): Uint8Array {
  const content = Buffer.from(sealed).toString("base64");
  return Buffer.from(JSON.stringify({ type: SEALED, id, parentId: null, sealed: content }));
}

/** Undefined for a line that is not sealed. */
export function sealedIn(bytes: Uint8Array): Buffer | undefined {
  const facts = lineFacts(bytes);
  const sealed = facts?.type === SEALED ? facts.record.sealed : undefined;
  return typeof sealed === "string" ? Buffer.from(sealed, "base64") : undefined;
}

const START = Buffer.from(`{"type":"${SEALED}"`);

export function isSealedLine(bytes: Uint8Array): boolean {
  return START.equals(bytes.subarray(0, START.length)) && sealedIn(bytes) !== undefined;
}
