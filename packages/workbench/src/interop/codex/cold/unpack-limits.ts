/** Limits for unpacking compressed rollouts, since a small crafted file can fill any disk. */
export interface UnpackLimits {
  /** Maximum unpacked bytes. */
  readonly bytes: number;
  /** Maximum compression ratio beyond `free` bytes. Transcripts shrink to about a fifth, rarely to a hundredth. */
  readonly ratio: number;
  readonly free: number;
  /** Maximum memory for unpacking. Common zstd settings need far less. */
  readonly window: number;
}

export const UNPACK_LIMITS: UnpackLimits = { bytes: 2 ** 31, ratio: 400, free: 2 ** 26, window: 2 ** 25 };

interface Unpacked {
  /** Compressed bytes so far. */
  readonly read: number;
  readonly unpacked: number;
}

/** Why unpacking must stop; undefined if it may continue. */
export function beyondLimits({ read, unpacked }: Unpacked, limits: UnpackLimits): string | undefined {
  if (unpacked > limits.bytes) return `It unpacks to more than ${formatBytes(limits.bytes)}.`;
  if (unpacked <= limits.free || unpacked <= read * limits.ratio) return undefined;
  return `It unpacks to more than ${limits.ratio} times its size.`;
}

function formatBytes(bytes: number): string {
  return bytes >= 2 ** 30 ? `${bytes / 2 ** 30} GB` : `${Math.round(bytes / 2 ** 20)} MB`;
}

export function windowReason(window: number, limits: UnpackLimits): string | undefined {
  return window > limits.window ? `It needs more than ${formatBytes(limits.window)} of memory to unpack.` : undefined;
}
