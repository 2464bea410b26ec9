/** Reads the lines of a zstd-compressed rollout, unpacking it on the fly. */
import { WorkTurns } from "@bough/session/log/index.js";
import { type ForeignLine, type LineOptions, LineSplitter } from "../../foreign-lines.js";
import { tooLarge } from "../../source-problem.js";
import { beyondLimits, UNPACK_LIMITS, type UnpackLimits, windowReason } from "./unpack-limits.js";
import { ZstdDamage, zstdPieces } from "./zstd-pieces.js";

interface ZstdOptions extends LineOptions {
  readonly limits?: UnpackLimits;
}

/**
 * Yields every non-empty line. Yields to the event loop while unpacking, so that it can be aborted.
 *
 * Throws `too-large` if the file exceeds the limits. For a damaged file, yields the lines before the damage, and one
 * unreadable line for the rest.
 */
export async function* zstdLines(
  path: string,
  { within = Number.POSITIVE_INFINITY, limits = UNPACK_LIMITS }: ZstdOptions = {},
): AsyncGenerator<ForeignLine> {
  // Loaded lazily, because few rollouts are compressed.
  const { Decompress } = await import("fzstd");
  const splitter = new LineSplitter();
  const turns = new WorkTurns();
  let read = 0;
  let unpacked = 0;
  let blocks: Uint8Array[] = [];
  const inflate = new Decompress((bytes) => {
    unpacked += bytes.length;
    blocks.push(bytes);
  });
  try {
    for (const { bytes, frame } of zstdPieces(path)) {
      const heavy = frame === undefined ? undefined : windowReason(frame.window, limits);
      if (heavy !== undefined) throw tooLarge(path, heavy);
      push(inflate, bytes);
      read += bytes.length;
      const reason = beyondLimits({ read, unpacked }, limits);
      if (reason !== undefined) throw tooLarge(path, reason);
      for (const block of blocks) yield* splitter.split(block);
      blocks = [];
      if (unpacked >= within) return;
      if (turns.isDue) await turns.yieldNow();
    }
  } catch (error) {
    if (!(error instanceof ZstdDamage)) throw error;
    yield* splitter.split(Buffer.from(DAMAGED));
  }
  yield* splitter.rest();
}

const DAMAGED = "\n(the compressed file is damaged from here)\n";

function push(inflate: { push(chunk: Uint8Array): void }, bytes: Uint8Array): void {
  try {
    inflate.push(bytes);
  } catch (cause) {
    throw new ZstdDamage("It cannot be unpacked.", { cause });
  }
}
