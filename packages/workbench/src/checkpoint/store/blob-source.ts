/** Where contents come from that are not on this machine. The program sets it when it starts; this room does not know about stores. */
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
