/**
 * Decides which calls are copies. Forks, imports, resumed copies and sub-agents repeat answers, and each is paid once.
 *
 * Two calls are the same if any of these is the same:
 *
 * - the provider's ID of the answer, with the size of the prompt;
 * - the ID of the entry or record, with its time and counts, as in forks;
 * - for an import whose source is here too, the counts and how often they occurred before in the session;
 * - for records that a Codex fork copied, the running totals, since copies may have another time;
 * - time and counts, unless both name the answer differently, as for a hand-off to another agent.
 */

import { COLUMNS, IMPORTED, LEFT, REPLAY, WIDTH } from "../read/session-usage.js";
import type { IndexedSession } from "../read/usage-index.js";
import { NumberTable } from "./number-table.js";

/** A call that counts, by session and offset of its row. */
export type OnCall = (session: IndexedSession, row: number, isLeft: boolean) => void;

/** Calls `onCall` for each call once, and `onCopy` for each copy. Copies count where the session is oldest. */
export function countOnce(sessions: readonly IndexedSession[], onCall: OnCall, onCopy: OnCall): void {
  const ordered = byAge(sessions);
  const kept = new KeptCalls(ordered);
  const seen = new SeenCalls(ordered, kept);
  for (const [number, indexed] of ordered.entries()) {
    seen.begin(indexed);
    const { rows } = indexed;
    for (let row = 0; row < rows.length; row += WIDTH) {
      const left = ((rows[row + COLUMNS.flags] as number) & LEFT) !== 0;
      const same = seen.find(rows, row);
      if (same >= 0) {
        const copy = kept.keepWhole(same, number, row);
        onCopy(ordered[copy.session] as IndexedSession, copy.row, left);
        // Whoever continues from a copy did not leave it.
        if (!left) kept.isLeft[same] = 0;
      }
      seen.add(rows, row, same >= 0 ? same : kept.add(number, row, left));
    }
  }
  for (let call = 0; call < kept.count; call++) {
    const indexed = ordered[kept.session[call] as number] as IndexedSession;
    onCall(indexed, kept.row[call] as number, kept.isLeft[call] === 1);
  }
}

/** The calls that count, by number. */
class KeptCalls {
  count = 0;
  readonly session: Int32Array;
  readonly row: Int32Array;
  readonly isLeft: Uint8Array;

  readonly #sessions: readonly IndexedSession[];

  constructor(sessions: readonly IndexedSession[]) {
    this.#sessions = sessions;
    const most = sessions.reduce((sum, { rows }) => sum + rows.length / WIDTH, 0);
    this.session = new Int32Array(most);
    this.row = new Int32Array(most);
    this.isLeft = new Uint8Array(most);
  }

  add(session: number, row: number, isLeft: boolean): number {
    this.session[this.count] = session;
    this.row[this.count] = row;
    this.isLeft[this.count] = isLeft ? 1 : 0;
    return this.count++;
  }

  /** A copy may end inside of the answer, so the one with more output counts. Returns the other one. */
  keepWhole(call: number, session: number, row: number): { readonly session: number; readonly row: number } {
    const known = { session: this.session[call] as number, row: this.row[call] as number };
    if (this.#outputOf(session, row) <= this.#outputOf(known.session, known.row)) return { session, row };
    this.session[call] = session;
    this.row[call] = row;
    return known;
  }

  #outputOf(session: number, row: number): number {
    return this.#sessions[session]?.rows[row + COLUMNS.output] ?? 0;
  }
}

/** Oldest first: an import directly after its source, and what was made from either of them after both. */
function byAge(sessions: readonly IndexedSession[]): IndexedSession[] {
  const created = new Map(sessions.map(({ session: { agent, id, created } }) => [`${agent} ${id}`, created]));
  const aged = sessions.map((indexed) => {
    const { created: own, importedFrom: from } = indexed.session;
    const source = from === undefined ? 0 : (created.get(`${from.agent} ${from.id}`) ?? 0);
    return { indexed, age: Math.max(own, source), imported: from === undefined ? 0 : 1 };
  });
  aged.sort((a, b) => a.age - b.age || a.imported - b.imported || (keyOf(a.indexed) < keyOf(b.indexed) ? -1 : 1));
  return aged.map(({ indexed }) => indexed);
}

function keyOf({ session }: IndexedSession): string {
  return session.key;
}

class SeenCalls {
  readonly #sessions: readonly IndexedSession[];
  readonly #kept: KeptCalls;
  readonly #responses: NumberTable;
  readonly #records: NumberTable;
  readonly #totals = new NumberTable(0);
  readonly #contents: NumberTable;
  readonly #imports = new Map<string, number>();
  readonly #sources: ReadonlySet<string>;
  #agent: string | undefined;
  /** The session that imports are compared with: its own name, or that of its source. */
  #origin: { readonly name: string; readonly isImport: boolean } | undefined;
  #occurrences = new Map<string, number>();
  #name = "";
  #content = 0;

  constructor(sessions: readonly IndexedSession[], kept: KeptCalls) {
    this.#sessions = sessions;
    this.#kept = kept;
    const most = kept.row.length;
    this.#responses = new NumberTable(most);
    this.#records = new NumberTable(most);
    this.#contents = new NumberTable(most);
    this.#sources = new Set(
      sessions.flatMap(({ session: { importedFrom: from } }) =>
        from === undefined ? [] : [`${from.agent} ${from.id}`],
      ),
    );
  }

  begin({ session: { agent, id, importedFrom: from } }: IndexedSession): void {
    this.#agent = agent;
    this.#occurrences = new Map();
    const name = from === undefined ? `${agent} ${id}` : `${from.agent} ${from.id}`;
    const isCompared = from !== undefined || this.#sources.has(name);
    this.#origin = isCompared ? { name, isImport: from !== undefined } : undefined;
  }

  /** The number of the same call, or -1. Call once for each row, in order. */
  find(rows: Float64Array, row: number): number {
    const flags = rows[row + COLUMNS.flags] as number;
    const response = rows[row + COLUMNS.response] as number;
    const record = rows[row + COLUMNS.record] as number;
    const totals = rows[row + COLUMNS.totals] as number;
    this.#name = this.#occurrence(rows, row, flags);
    this.#content = contentOf(rows, row);
    let same = response === 0 ? -1 : this.#responses.get(response);
    if (same < 0 && record !== 0) same = this.#records.get(record);
    if (same < 0 && totals !== 0 && (flags & REPLAY) !== 0) same = this.#totals.get(totals);
    if (same < 0 && this.#name !== "" && this.#origin?.isImport === true) same = this.#imports.get(this.#name) ?? -1;
    if (same >= 0 || rows[row + COLUMNS.time] === 0) return same;
    same = this.#contents.get(this.#content);
    return same >= 0 && this.#isOther(same, response, record) ? -1 : same;
  }

  /** Whether a call of the same time and counts is another one, since both are named, and differently. */
  #isOther(call: number, response: number, record: number): boolean {
    const { rows, session } = this.#sessions[this.#kept.session[call] as number] as IndexedSession;
    const row = this.#kept.row[call] as number;
    const [knownResponse, knownRecord] = [rows[row + COLUMNS.response], rows[row + COLUMNS.record]];
    if (response !== 0 && knownResponse !== 0) return true;
    // IDs of records of different programs cannot be compared.
    return session.agent === this.#agent && record !== 0 && knownRecord !== 0 && response === knownResponse;
  }

  /** The row that was looked for last. */
  add(rows: Float64Array, row: number, call: number): void {
    const response = rows[row + COLUMNS.response] as number;
    const record = rows[row + COLUMNS.record] as number;
    const totals = rows[row + COLUMNS.totals] as number;
    if (response !== 0) this.#responses.set(response, call);
    if (record !== 0) this.#records.set(record, call);
    if (totals !== 0) this.#totals.set(totals, call);
    if (this.#name !== "") this.#imports.set(this.#name, call);
    if (this.#contents.get(this.#content) < 0) this.#contents.set(this.#content, call);
  }

  /** Names a call by its counts and how often they occurred before; "" if no import is compared with it. */
  #occurrence(rows: Float64Array, row: number, flags: number): string {
    if (this.#origin === undefined || (this.#origin.isImport && (flags & IMPORTED) === 0)) return "";
    const counts = `${this.#origin.name} ${rows.subarray(row + COLUMNS.input, row + COLUMNS.longWrite).join(" ")}`;
    const times = this.#occurrences.get(counts) ?? 0;
    this.#occurrences.set(counts, times + 1);
    return `${counts} ${times}`;
  }
}

/** A number made of time and counts, exact enough: two different calls have the same one in no real log. */
function contentOf(rows: Float64Array, row: number): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let column: number = COLUMNS.time; column <= COLUMNS.cacheWrite; column++) {
    // A provider may have another name in another agent's log.
    if (column === COLUMNS.model) continue;
    const value = rows[row + column] as number;
    const bits = value % 4294967296;
    low = Math.imul(low ^ bits ^ Math.floor(value / 4294967296), 0x01000193);
    high = Math.imul((high << 13) | (high >>> 19), 5) ^ Math.imul(bits ^ column, 0x85ebca6b);
  }
  return (low >>> 0) * 1048576 + ((high ^ (high >>> 12)) & 0xfffff) + 1;
}
