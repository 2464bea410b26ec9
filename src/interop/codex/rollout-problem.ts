/** Rollouts that their names tell and that cannot be read. */
import { accessSync, constants, statSync } from "node:fs";
import { basename } from "node:path";
import type { SourceProblem } from "../contract.js";
import { jsonProblem } from "../conversion/json-head.js";
import { linesProblem } from "../source-problem.js";
import { zstdProblem } from "./cold/zstd-problem.js";
import { isDatedName } from "./rollout-files.js";
import { headOf, type RolloutHead } from "./rollout-head.js";

interface InspectedRollout {
  /** Undefined where the file is no rollout, or one that cannot be read. */
  readonly head: RolloutHead | undefined;
  /** Undefined for rollouts that can be read, for files with other names, and for empty ones. */
  readonly problem: SourceProblem | undefined;
}

export async function inspectRollout(path: string): Promise<InspectedRollout> {
  const isNamed = isDatedName(basename(path)) && sizeOf(path) > 0;
  const packed = isNamed && path.endsWith(".zst") ? await zstdProblem(path) : undefined;
  const head = packed === undefined ? await headOf(path) : undefined;
  if (packed !== undefined || head !== undefined || !isNamed) return { head, problem: packed };
  return { head, problem: (path.endsWith(".json") ? jsonProblem(path) : linesProblem(path)) ?? NO_RECORD };
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

/** A file of lines that can be read, and of which none is a record of Codex's. */
const NO_RECORD: SourceProblem = { kind: "damaged", reason: "No record in it can be read." };
