/**
 * A scanner that saves what it knows before a command runs: if this process is killed, the next one can find out what
 * the command changed. Everything is written after the first scan, later only what changed.
 */
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import type { FileState } from "@bough/session/entry/index.js";
import { fileDeltas } from "@bough/session/entry/internal.js";
import { writeWholeInSlices } from "@bough/session/log/index.js";
import { attempt, isRecord, parsedJson } from "@bough/session/text/index.js";
import type { KnownFile } from "../scan/known-file.js";
import type { SavedLook, Scanner, ScannerFacts, ScanOutcome } from "../scan/scanner.js";
import { indexFile, knownFile } from "./work-folder.js";

/** Everything is written again when more lines than this, and than the last full write had, were appended. */
const MOST_APPENDED = 10_000;

export class SavedScanner implements Scanner {
  readonly #scanner: Scanner;
  readonly #folder: string;
  #pending = new Map<string, KnownFile>();
  #savedBasis: number | undefined;
  #whole = 0;
  #appended = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(scanner: Scanner, folder: string) {
    this.#scanner = scanner;
    this.#folder = folder;
  }

  get began(): number {
    return this.#scanner.began;
  }

  get basis(): number {
    return this.#scanner.basis;
  }

  get facts(): ScannerFacts {
    return this.#scanner.facts;
  }

  recall(path: string, state: FileState): void {
    this.#scanner.recall(path, state);
  }

  lastSeen(paths: readonly string[]): ReturnType<Scanner["lastSeen"]> {
    return this.#scanner.lastSeen(paths);
  }

  leftOut(paths: readonly string[]): ReturnType<Scanner["leftOut"]> {
    return this.#scanner.leftOut(paths);
  }

  warm(signal: AbortSignal): Promise<void> {
    return this.#scanner.warm(signal);
  }

  known(): ReturnType<Scanner["known"]> {
    return this.#scanner.known();
  }

  resume(look: SavedLook): void {
    this.#scanner.resume(look);
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    const outcome = await this.#scanner.scan(signal);
    for (const { path, after } of outcome.changes) this.#pending.set(path, { signature: 0, state: after });
    for (const skipped of outcome.skipped) this.#pending.set(skipped.path, { signature: 0, state: undefined, skipped });
    return outcome;
  }

  note(path: string, state: FileState): void {
    this.#scanner.note(path, state);
    this.#pending.set(path, { signature: 0, state });
  }

  /** Call it when everything that was found is in the session, and before anything changes. */
  save(): Promise<void> {
    // Saves must not overlap: a running full write must not include changes made after the next save.
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#saveNow());
    return this.#saving;
  }

  async #saveNow(): Promise<void> {
    const { basis } = this.#scanner;
    // There has been no scan yet.
    if (basis === 0) return;
    if (basis !== this.#savedBasis || this.#appended > Math.max(MOST_APPENDED, this.#whole)) {
      this.#pending = new Map();
      this.#appended = 0;
      this.#whole = 0;
      await writeWholeInSlices(knownFile(this.#folder), this.#lines(), { existing: "replace", durable: false });
      this.#savedBasis = basis;
    } else if (this.#pending.size > 0) {
      const lines = [...this.#pending].map(([path, file]) => lineOf(path, file));
      this.#appended += lines.length;
      this.#pending = new Map();
      appendFileSync(knownFile(this.#folder), [firstLine(this.#scanner), ...lines].join(""), { mode: 0o600 });
    }
  }

  *#lines(): Generator<string> {
    yield firstLine(this.#scanner);
    for (const [path, file, kept] of this.#scanner.known()) {
      this.#whole += 1;
      yield lineOf(path, file, kept);
    }
  }
}

function firstLine({ began, facts }: Pick<Scanner, "began" | "facts">): string {
  return `${JSON.stringify({ began, facts })}\n`;
}

function lineOf(path: string, { signature, state, skipped }: KnownFile, kept?: "kept"): string {
  const what = state === undefined ? { skipped } : { state };
  return `${JSON.stringify({ path, signature, ...what, kept: kept === undefined ? undefined : true })}\n`;
}

/** Undefined if nothing was saved. Skips cut-off lines. */
export function savedLook(folder: string, { isOwn = true } = {}): SavedLook | undefined {
  // git was killed while writing; the index itself is complete.
  if (isOwn) rmSync(`${indexFile(folder)}.lock`, { force: true });
  const text = attempt(() => readFileSync(knownFile(folder), "utf8"));
  if (text === undefined) return undefined;
  const known = new Map<string, KnownFile>();
  const kept = new Map<string, KnownFile>();
  let began = 0;
  let facts: ScannerFacts = {};
  for (const line of text.split("\n")) {
    const value = line === "" ? undefined : parsedJson(line);
    if (!isRecord(value)) continue;
    if (typeof value.began === "number") {
      began = value.began;
      facts = factsIn(value.facts);
    }
    const { path, signature } = value;
    if (typeof path !== "string" || typeof signature !== "number") continue;
    const file = value.state === undefined ? unknownFile(path, signature, value.skipped) : knownIn(value, signature);
    if (file === undefined) continue;
    kept.delete(path);
    (value.kept === true ? kept : known).set(path, file);
  }
  return { began, known, kept, facts };
}

function knownIn({ path, state }: Readonly<Record<string, unknown>>, signature: number): KnownFile | undefined {
  const [delta] = fileDeltas([{ path, before: null, after: state }]) ?? [];
  return delta === undefined ? undefined : { signature, state: delta.after };
}

function factsIn(value: unknown): ScannerFacts {
  if (!isRecord(value)) return {};
  const list = (given: unknown) => (Array.isArray(given) ? given.filter((path) => typeof path === "string") : []);
  return {
    named: list(value.named),
    unwatched: list(value.unwatched),
    repositories: list(value.repositories),
  };
}

function unknownFile(path: string, signature: number, skipped: unknown): KnownFile {
  const size = isRecord(skipped) && typeof skipped.size === "number" ? { size: skipped.size } : {};
  const why = isRecord(skipped) && skipped.why === "too-large" ? "too-large" : "unreadable";
  return { signature, state: undefined, skipped: { path, why, ...size } };
}
