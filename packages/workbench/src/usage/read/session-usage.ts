/** What one session used: who and where, and its calls as rows of numbers, which load in no time. */
import { createHash } from "node:crypto";
import type { AgentName } from "@bough/session/entry/index.js";
import type { ModelCall } from "../../interop/internal.js";

/** Everything but the calls. Plain data. */
export interface UsageSession {
  /** Identifies the session in the index. */
  readonly key: string;
  /** Undefined for Bough's own. */
  readonly agent: AgentName | undefined;
  readonly id: string;
  readonly path: string;
  readonly cwd: string;
  readonly title: string;
  /** Milliseconds; 0 if unknown. */
  readonly created: number;
  /** For an import: the agent and the session's ID there. */
  readonly importedFrom?: { readonly agent: string; readonly id: string };
  readonly branches: readonly (readonly [number: number, name: string])[];
}

/** Numbers per call, in this order. */
export const COLUMNS = {
  time: 0,
  model: 1,
  input: 2,
  output: 3,
  cacheRead: 4,
  cacheWrite: 5,
  longWrite: 6,
  /** NaN if the transcript does not say. */
  dollars: 7,
  /** Names of the call, as hashes; 0 if it has none. */
  response: 8,
  record: 9,
  totals: 10,
  flags: 11,
  branch: 12,
  spared: 13,
} as const;

export const WIDTH = 14;

/** Bits of the flags. */
export const LEFT = 1;
export const IN_SUBAGENT = 2;
export const REPLAY = 4;
export const IMPORTED = 8;
export const ODD = 16;

/** The names of models, `provider/model`, that rows refer to by number. */
export class ModelNames {
  readonly names: string[];
  readonly #numbers: Map<string, number>;

  constructor(names: readonly string[] = []) {
    this.names = [...names];
    this.#numbers = new Map(names.map((name, number) => [name, number]));
  }

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    this.names.push(name);
    return this.names.length - 1;
  }
}

export function rowsOf(calls: readonly ModelCall[], models: ModelNames): Float64Array {
  const rows = new Float64Array(calls.length * WIDTH);
  for (const [at, call] of calls.entries()) {
    const { provider, model, input, output, cacheRead, cacheWrite, longWrite, time } = call;
    const flags =
      (call.place === "left" ? LEFT : 0) |
      (call.place === "subagent" ? IN_SUBAGENT : 0) |
      (call.isReplay === true ? REPLAY : 0) |
      (call.importedFrom !== undefined ? IMPORTED : 0) |
      (call.isOdd ? ODD : 0);
    rows.set(
      [
        time,
        models.numberOf(provider === "" ? model : `${provider}/${model}`),
        ...[input, output, cacheRead, cacheWrite, longWrite],
        call.dollars ?? Number.NaN,
        // The prompt belongs to the name, because some servers give every answer the same ID.
        call.responseId === undefined ? 0 : hashOf(`${call.responseId} ${input} ${cacheRead} ${cacheWrite}`),
        // Short IDs repeat between sessions, but not with the same time and counts.
        call.recordId === undefined ? 0 : hashOf(`${call.recordId} ${time} ${input} ${output} ${cacheRead}`),
        call.totals === undefined ? 0 : hashOf(call.totals),
        flags,
        call.branch,
        call.spared,
      ],
      at * WIDTH,
    );
  }
  return rows;
}

/** 52 bits, as an exact number that is never 0. */
function hashOf(text: string): number {
  return createHash("sha1").update(text).digest().readUIntBE(0, 6) * 16 + 1;
}
