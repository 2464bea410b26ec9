/** Where contents that are missing on this machine come from. This room knows nothing of stores. */
export interface BlobSource {
  /** Undefined if the source does not have the hash. The caller verifies the content. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

let fallback: BlobSource | undefined;

/**
 * Sets the source for whatever was not given one with the option `contents`.
 *
 * @deprecated It applies to the whole process. Pass `contents` instead.
 */
export function setBlobSource(source: BlobSource | undefined): void {
  fallback = source;
}

export function fallbackSource(): BlobSource | undefined {
  return fallback;
}
