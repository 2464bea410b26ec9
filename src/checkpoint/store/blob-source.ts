/** Where contents come from that are not on this machine. Whoever starts the program knows; nobody here does. */
export interface BlobSource {
  /** Undefined if it has none with this hash. Whatever it gives is checked. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

let current: BlobSource | undefined;

/** For all stores of contents of this process; undefined: what is not on this machine is missing. */
export function setBlobSource(source: BlobSource | undefined): void {
  current = source;
}

export function blobSource(): BlobSource | undefined {
  return current;
}
