/**
 * What every session used, in one file that can be deleted at any time:
 *
 *     heading    JSON line: version, sizes, SHA-256 of the rest
 *     sessions   one JSON value: models, and the facts and stamp of each session
 *     rows       numbers of all calls, session after session
 *
 * Readable by the owner only, since titles are in it.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { join } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";
import { attempt, isRecord, jsonObject, parsedJson } from "@bough/session/text/index.js";
import { ModelNames, type UsageSession, WIDTH } from "./session-usage.js";

/** Increase when the layout, or what is read from sessions, changes. */
const VERSION = 1;
const TYPE = "bough-usage";
const MOST_BYTES = 1 << 30;
const NEWLINE = 0x0a;

export interface IndexedSession {
  readonly session: UsageSession;
  /** Changes whenever the session does. */
  readonly stamp: string;
  readonly rows: Float64Array;
}

export class UsageIndex {
  readonly #file: string;
  readonly models: ModelNames;
  readonly #sessions: Map<string, IndexedSession>;

  private constructor(file: string, models: ModelNames, sessions: Map<string, IndexedSession>) {
    this.#file = file;
    this.models = models;
    this.#sessions = sessions;
  }

  /** Empty if the file is missing, damaged or of another version. */
  static load(home: string): UsageIndex {
    const file = join(home, "cache", "usage");
    const size = attempt(() => statSync(file, { throwIfNoEntry: false })?.size) ?? 0;
    const bytes = size === 0 || size > MOST_BYTES ? undefined : attempt(() => readFileSync(file));
    const loaded = bytes === undefined ? undefined : attempt(() => contentOf(bytes));
    return new UsageIndex(file, loaded?.models ?? new ModelNames(), loaded?.sessions ?? new Map());
  }

  get(key: string): IndexedSession | undefined {
    return this.#sessions.get(key);
  }

  get keys(): Iterable<string> {
    return this.#sessions.keys();
  }

  set(indexed: IndexedSession): void {
    this.#sessions.set(indexed.session.key, indexed);
  }

  delete(key: string): void {
    this.#sessions.delete(key);
  }

  /** Replaces the file. If two processes save at once, one of them reads some sessions again. */
  save(): void {
    const sessions = [...this.#sessions.values()];
    const facts = Buffer.from(
      JSON.stringify({
        models: this.models.names,
        sessions: sessions.map(({ session, stamp, rows }) => ({ session, stamp, calls: rows.length / WIDTH })),
      }),
    );
    const rows = sessions.map(({ rows }) => Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength));
    const hash = createHash("sha256").update(facts);
    for (const part of rows) hash.update(part);
    const heading = {
      type: TYPE,
      version: VERSION,
      endian: endianness(),
      facts: facts.length,
      sha256: hash.digest("hex"),
    };
    writeWhole(this.#file, [`${JSON.stringify(heading)}\n`, facts, ...rows], { existing: "replace", durable: false });
  }
}

function contentOf(
  bytes: Buffer,
): { readonly models: ModelNames; readonly sessions: Map<string, IndexedSession> } | undefined {
  const start = bytes.indexOf(NEWLINE) + 1;
  const heading = jsonObject(bytes.toString("utf8", 0, start)) ?? {};
  const { type, version, endian, facts: length, sha256 } = heading;
  if (type !== TYPE || version !== VERSION || endian !== endianness() || typeof length !== "number") return undefined;
  if (createHash("sha256").update(bytes.subarray(start)).digest("hex") !== sha256) return undefined;
  const facts = parsedJson(bytes.toString("utf8", start, start + length));
  if (!isRecord(facts)) return undefined;
  // Copied, because numbers need an offset that is a multiple of eight.
  const numbers = new Float64Array((bytes.length - start - length) / 8);
  Buffer.from(numbers.buffer).set(bytes.subarray(start + length));
  const sessions = new Map<string, IndexedSession>();
  let at = 0;
  // The hash says that this is what `save` wrote.
  for (const { session, stamp, calls } of facts.sessions as readonly SavedSession[]) {
    sessions.set(session.key, { session, stamp, rows: numbers.subarray(at, at + calls * WIDTH) });
    at += calls * WIDTH;
  }
  return { models: new ModelNames(facts.models as readonly string[]), sessions };
}

interface SavedSession {
  readonly session: UsageSession;
  readonly stamp: string;
  readonly calls: number;
}
