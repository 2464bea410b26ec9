/**
 * Where contents that are missing on this machine come from. The program sets it at startup; this room knows nothing of
 * stores.
 */
export interface BlobSource {
  /** Undefined if the source does not have the hash. The caller verifies the content. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

let current: BlobSource | undefined;

/** Sets the source for all content stores of this process. Without one, contents not on this machine are missing. */
export function setBlobSource(source: BlobSource | undefined): void {
  current = source;
}

export function blobSource(): BlobSource | undefined {
  return current;
}
