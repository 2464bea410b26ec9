/** Whether a compressed rollout can be read, judged by its blocks and without unpacking it if possible. */
import type { SourceProblem } from "../../contract.js";
import { InteropError } from "../../interop-error.js";
import { beyondLimits, UNPACK_LIMITS, type UnpackLimits, windowReason } from "./unpack-limits.js";
import { zstdLines } from "./zstd-lines.js";
import { ZstdDamage, zstdPieces } from "./zstd-pieces.js";

/** Compressed bytes that a list checks. Reading a larger file still stops at the limits. */
const MOST_READ = 2 ** 25;

/** Undefined if the file is readable as far as a list can tell. */
export async function zstdProblem(
  path: string,
  limits: UnpackLimits = UNPACK_LIMITS,
): Promise<SourceProblem | undefined> {
  let read = 0;
  let unpacked = 0;
  let isSuspect = false;
  try {
    for (const { bytes, unpacked: most, frame } of zstdPieces(path)) {
      const reason =
        frame === undefined ? undefined : (windowReason(frame.window, limits) ?? declaredReason(frame.size, limits));
      if (reason !== undefined) return { kind: "too-large", reason };
      read += bytes.length;
      unpacked += most;
      isSuspect ||= beyondLimits({ read, unpacked }, limits) !== undefined;
      if (isSuspect || read > MOST_READ) break;
    }
  } catch (error) {
    if (!(error instanceof ZstdDamage)) throw error;
    // The part before the damage is readable.
    return read === 0 ? { kind: "damaged", reason: error.message } : undefined;
  }
  return isSuspect ? unpackedProblem(path, limits) : undefined;
}

function declaredReason(size: number | undefined, limits: UnpackLimits): string | undefined {
  return size === undefined ? undefined : beyondLimits({ read: Number.POSITIVE_INFINITY, unpacked: size }, limits);
}

/** Blocks declare only a maximum size, so unpack the file to find the actual one, up to the limits. */
async function unpackedProblem(path: string, limits: UnpackLimits): Promise<SourceProblem | undefined> {
  try {
    for await (const _line of zstdLines(path, { limits }));
    return undefined;
  } catch (error) {
    if (!(error instanceof InteropError) || error.code !== "too-large") throw error;
    return { kind: "too-large", reason: String(error.data.reason) };
  }
}
