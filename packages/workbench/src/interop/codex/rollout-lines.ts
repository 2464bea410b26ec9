/** Reads the lines of a rollout: plain, compressed with zstd, or in one JSON file, as in the oldest versions. */
import { readFileSync } from "node:fs";
import { isRecord } from "@bough/session/text/index.js";
import { headOfJson } from "../conversion/json-head.js";
import { foreignLines, type LineOptions, objectIn } from "../foreign-lines.js";
import { zstdLines } from "./cold/zstd-lines.js";

interface RolloutLine {
  readonly line: number;
  /** Undefined if the line is not a JSON object. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  /** False for a last line without a newline. */
  readonly terminated: boolean;
}

export async function* rolloutLines(path: string, options: LineOptions = {}): AsyncGenerator<RolloutLine> {
  if (path.endsWith(".json"))
    return yield* oneObject(options.within === undefined ? objectIn(readFileSync(path, "utf8")) : headOfJson(path));
  const lines = path.endsWith(".zst") ? zstdLines(path, options) : foreignLines(path, options);
  for await (const { line, text, terminated } of lines) yield { line, value: objectIn(text), terminated };
}

/** Reads `{session, items}`, with the session as the first line. */
function* oneObject(value: unknown): Generator<RolloutLine> {
  if (!isRecord(value) || !isRecord(value.session)) {
    yield { line: 1, value: undefined, terminated: true };
    return;
  }
  yield { line: 1, value: value.session, terminated: true };
  const items: readonly unknown[] = Array.isArray(value.items) ? value.items : [];
  for (const [at, item] of items.entries()) {
    yield { line: at + 2, value: isRecord(item) ? item : undefined, terminated: true };
  }
}
