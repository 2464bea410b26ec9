/** Rollouts that their names tell and that cannot be read. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { SourceProblem } from "../contract.js";
import { jsonProblem } from "../conversion/json-head.js";
import { zstdProblem } from "./cold/zstd-problem.js";
import { headOf, type RolloutHead } from "./rollout-head.js";

const NAME = /^rollout-\d{4}-\d\d-\d\d.*\.(?:jsonl|jsonl\.zst|json)$/;

export interface InspectedRollout {
  /** Undefined where the file is no rollout, or one that cannot be read. */
  readonly head: RolloutHead | undefined;
  /** Undefined for rollouts that can be read, for files with other names, and for empty ones. */
  readonly problem: SourceProblem | undefined;
}

export async function inspectRollout(path: string): Promise<InspectedRollout> {
  const isNamed = NAME.test(basename(path)) && sizeOf(path) > 0;
  const packed = isNamed && path.endsWith(".zst") ? await zstdProblem(path) : undefined;
  const head = packed === undefined ? await headOf(path) : undefined;
  if (packed !== undefined || head !== undefined || !isNamed) return { head, problem: packed };
  return { head, problem: path.endsWith(".json") ? jsonProblem(path) : linesProblem(path) };
}

/** 0 for what is no file, or not ours to read: whoever opens it is told so. */
function sizeOf(path: string): number {
  try {
    accessSync(path, constants.R_OK);
    const stats = statSync(path);
    return stats.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}

const NEWLINE = 0x0a;

function linesProblem(path: string): SourceProblem {
  const reason = path.endsWith(".zst") || !isFirstLineCut(path) ? "No record in it can be read." : CUT;
  return { kind: "damaged", reason };
}

const CUT = "Its first line is cut off.";

function isFirstLineCut(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(1 << 16);
    const got = readSync(file, bytes, 0, bytes.length, 0);
    return got < bytes.length && !bytes.subarray(0, got).includes(NEWLINE);
  } finally {
    closeSync(file);
  }
}
