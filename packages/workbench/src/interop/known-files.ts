/**
 * What readers learned about files, kept in one file that may be deleted at any time, so that a list of thousands of
 * transcripts does not read each of them again.
 */
import { createHash } from "node:crypto";
import { readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { attempt, jsonObject, parsedJson } from "@bough/session/text/index.js";
import type { AgentName, FileFacts } from "./contract.js";

/** Where front ends keep it. */
export function knownFilesPlace(): string {
  return join(boughHome(), "cache", "foreign-files.jsonl");
}

/** Reads every file each time. */
export const READ_EVERY_TIME: FileFacts = {
  of: (_agent, _path, read) => read(),
  later: (_agent, _path, read) => read(),
};

/** Changes whenever a reader finds other facts in the same bytes. */
const VERSION = 1;
const TYPE = "foreign-files";
/** About twenty megabytes. Files beyond it are read each time. */
const MOST_FILES = 40_000;
const MOST_BYTES = 64 << 20;
/**
 * Some file systems count in steps of two seconds. A file that changed this shortly before it was read could change
 * again without getting another time, so its bytes are read again.
 */
const COARSEST_MS = 2_000;

/** The part of a line after its key. */
interface KnownFile {
  readonly stamp: string;
  /** Whether the stamp will differ after any later change. */
  readonly settled: boolean;
  readonly facts: unknown;
}

/**
 * If the file is damaged, of another version, or not accessible, it is treated as empty; that is never an error. If two
 * processes save at once, one may lose what it learned and will read those files again.
 */
export class KnownFiles implements FileFacts {
  readonly #place: string;
  readonly #now: () => number;
  /** Lines by key. Parsed when needed, since most runs need only some agents. */
  #lines: Map<string, string> | undefined;
  readonly #fresh = new Map<string, string>();
  readonly #seen = new Set<string>();
  readonly #finished = new Set<AgentName>();

  constructor(place: string, now = Date.now) {
    this.#place = place;
    this.#now = now;
  }

  of<Facts>(agent: AgentName, path: string, read: () => Facts, beside: readonly string[] = []): Facts {
    const [known, keep] = this.#look(agent, path, beside);
    if (known !== undefined) return known.facts as Facts;
    const facts = read();
    keep(facts);
    return facts;
  }

  async later<Facts>(
    agent: AgentName,
    path: string,
    read: () => Promise<Facts>,
    beside: readonly string[] = [],
  ): Promise<Facts> {
    const [known, keep] = this.#look(agent, path, beside);
    if (known !== undefined) return known.facts as Facts;
    const facts = await read();
    keep(facts);
    return facts;
  }

  /** All files of an agent were looked up: the others are gone. */
  finished(agent: AgentName): void {
    this.#finished.add(agent);
  }

  /** If anything changed, atomically replaces the file with a new private one. */
  save(): void {
    const isGone = (key: string): boolean => !this.#seen.has(key) && this.#finished.has(agentOf(key));
    if (this.#fresh.size === 0 && ![...this.#known().keys()].some(isGone)) return;
    try {
      // Read again to keep what other processes saved in the meantime.
      const all = linesIn(this.#place);
      for (const key of all.keys()) if (isGone(key)) all.delete(key);
      for (const [key, line] of this.#fresh) all.set(key, line);
      const body = [...all].slice(-MOST_FILES).map(([key, line]) => `${key}\t${line}\n`);
      const heading = JSON.stringify({ type: TYPE, version: VERSION, sha256: hashOf(body.join("")) });
      writeWhole(this.#place, [`${heading}\n`, ...body], { existing: "replace", durable: false });
      this.#fresh.clear();
    } catch {
      // A full disk or a read-only home: the next list reads the files again.
    }
  }

  #known(): Map<string, string> {
    this.#lines ??= linesIn(this.#place);
    return this.#lines;
  }

  /** What is known of the file as it is now, and how to keep what is read from it instead. */
  #look(agent: AgentName, path: string, beside: readonly string[]): [KnownFile | undefined, (facts: unknown) => void] {
    const key = keyOf(agent, path);
    this.#seen.add(key);
    // Before the file is read: a change in between makes the next stamp differ.
    const now = this.#now();
    const stamp = stampOf([path, ...beside]);
    if (stamp === undefined) return [undefined, () => {}];
    const line = this.#fresh.get(key) ?? this.#known().get(key);
    const known = line === undefined ? undefined : knownIn(line);
    if (known?.stamp === stamp.text && known.settled) return [known, () => {}];
    const settled = now - stamp.latestMs > COARSEST_MS;
    return [undefined, (facts) => this.#fresh.set(key, JSON.stringify([stamp.text, settled, facts ?? null]))];
  }
}

interface Stamp {
  readonly text: string;
  /** When any of the files changed last. */
  readonly latestMs: number;
}

/** Undefined if the first file is gone or is not a file. The change time also reveals writes that set the time back. */
function stampOf([path, ...beside]: readonly string[]): Stamp | undefined {
  const own = path === undefined ? undefined : statsAt(path);
  if (own === undefined || !own.isFile()) return undefined;
  let latestMs = 0;
  const parts = [own, ...beside.map(statsAt)].map((stats) => {
    if (stats === undefined) return "-";
    latestMs = Math.max(latestMs, stats.mtimeMs, stats.ctimeMs);
    return `${stats.size}.${stats.mtimeMs}.${stats.ctimeMs}.${stats.dev}.${stats.ino}.${stats.mode}`;
  });
  return { text: parts.join("+"), latestMs };
}

function statsAt(path: string): Stats | undefined {
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}

function keyOf(agent: AgentName, path: string): string {
  return JSON.stringify([agent, path]);
}

function agentOf(key: string): AgentName {
  return key.slice(2, key.indexOf('"', 2)) as AgentName;
}

function knownIn(line: string): KnownFile | undefined {
  const value = parsedJson(line);
  if (!Array.isArray(value)) return undefined;
  const [stamp, settled, facts] = value as unknown[];
  return typeof stamp === "string" ? { stamp, settled: settled === true, facts: facts ?? undefined } : undefined;
}

/** The lines of a whole and undamaged file: its first line has the hash of all others. */
function linesIn(place: string): Map<string, string> {
  const lines = new Map<string, string>();
  const size = attempt(() => statSync(place, { throwIfNoEntry: false })?.size) ?? 0;
  if (size === 0 || size > MOST_BYTES) return lines;
  // A folder in its place, or no permission.
  const text = attempt(() => readFileSync(place, "utf8")) ?? "";
  const start = text.indexOf("\n") + 1;
  const { type, version, sha256 } = jsonObject(text.slice(0, start)) ?? {};
  if (type !== TYPE || version !== VERSION || sha256 !== hashOf(text.slice(start))) return lines;
  for (const line of text.slice(start).split("\n")) {
    const tab = line.indexOf("\t");
    if (tab > 0) lines.set(line.slice(0, tab), line.slice(tab + 1));
  }
  return lines;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
