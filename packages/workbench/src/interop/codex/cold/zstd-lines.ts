/** The lines of a rollout that is compressed with zstd, unpacked as they are read. */
import { WorkTurns } from "@bough/session/log/index.js";
import { type ForeignLine, type LineOptions, LineSplitter } from "../../foreign-lines.js";
import { tooLarge } from "../../source-problem.js";
import { beyondLimits, UNPACK_LIMITS, type UnpackLimits, windowReason } from "./unpack-limits.js";
import { ZstdDamage, zstdPieces } from "./zstd-pieces.js";

interface ZstdOptions extends LineOptions {
  readonly limits?: UnpackLimits;
}

/**
 * Every line that is not empty. Lets others have their turn while it unpacks, so that it can be stopped.
 *
 * Throws `too-large` if the file goes beyond the limits. A file that is damaged gives what came before, and one line
 * that cannot be read for the rest.
 */
export async function* zstdLines(
  path: string,
  { within = Number.POSITIVE_INFINITY, limits = UNPACK_LIMITS }: ZstdOptions = {},
): AsyncGenerator<ForeignLine> {
  // Loaded only here: few rollouts are cold.
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
