/** One byte of a log is wrong: only that line is lost, and the session continues. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { fillMixed, MIXED_OPTIONS } from "../support/mixed-session.js";
import { sampledStep } from "../support/sampled.js";
import { reachableIds } from "../support/session-snapshot.js";
import { fastFolder } from "../support/temp-folder.js";

const FLIPS: readonly (readonly [string, (byte: number) => number])[] = [
  ["a newline", () => 0x0a],
  ["a quote", () => 0x22],
  ["a backslash", () => 0x5c],
  ["a closing brace", () => 0x7d],
  ["an opening brace", () => 0x7b],
  ["NUL", () => 0],
  ["a byte that is not UTF-8", () => 0xff],
  ["its neighbour", (byte) => byte ^ 1],
  ["its other case", (byte) => byte ^ 0x20],
  ["its high bit", (byte) => byte ^ 0x80],
];

interface MixedLog {
  readonly log: Buffer;
  readonly path: string;
  /** The header and the entries, one text each, their ids, and where their lines start. */
  readonly texts: readonly string[];
  readonly ids: readonly string[];
  readonly starts: readonly number[];
}

function mixedLog(count: number): MixedLog {
  const dir = fastFolder();
  const original = SessionManager.create("/w", dir, MIXED_OPTIONS());
  fillMixed(original, count);
  original.close();
  const log = readFileSync(original.getSessionFile() as string);
  const texts = log.toString("utf8").trimEnd().split("\n");
  const starts = [0];
  for (let at = log.indexOf("\n"); at >= 0; at = log.indexOf("\n", at + 1)) starts.push(at + 1);
  const ids = texts.map((text) => (JSON.parse(text) as { readonly id: string }).id);
  return { log, path: join(dir, "flipped.jsonl"), texts, ids, starts };
}

interface Flip {
  readonly offset: number;
  readonly byte: number;
  /** `near`: all ids, and what the lines around the flip say. `all`: what every line says, and the context. */
  readonly look: "near" | "all";
}

/** Opens the log with one byte changed and returns which of the other lines were lost. */
function missingAfterFlip(mixed: MixedLog, flip: Flip): string[] {
  const flipped = Buffer.from(mixed.log);
  flipped[flip.offset] = flip.byte;
  writeFileSync(mixed.path, flipped);
  const session = SessionManager.open(mixed.path, undefined, { readOnly: true });
  const hit = mixed.starts.findLastIndex((start) => start <= flip.offset);
  try {
    // An id may have become another line's id: then the id leads to the first of them, and both are in the list.
    if (flip.look === "near" && missingNear(session, mixed, hit).length === 0) return [];
    return missingTexts(session, mixed, hit);
  } finally {
    session.close();
  }
}

function missingTexts(session: SessionManager, { texts }: MixedLog, hit: number): string[] {
  const found = new Set<string>();
  for (const entry of session.getEntries()) found.add(JSON.stringify(entry));
  expect(Array.isArray(session.buildSessionContext().messages)).toBe(true);
  return texts.filter((text, i) => i > 0 && i !== hit && !found.has(text));
}

function missingNear(session: SessionManager, { texts, ids }: MixedLog, hit: number): string[] {
  const missing: string[] = [];
  for (let i = Math.max(1, hit - 2); i <= Math.min(texts.length - 1, hit + 2); i++) {
    const text = JSON.stringify(session.getEntry(ids[i] as string));
    if (i !== hit && text !== texts[i]) missing.push(texts[i] as string);
  }
  const found = new Set(reachableIds(session));
  return missing.concat(ids.filter((id, i) => i > 0 && i !== hit && !found.has(id)));
}

/** No divisor in common with the number of flips or with 37. */
const STEP = sampledStep(251);

describe("a log with one byte flipped", { timeout: 3_600_000 }, () => {
  it.each(FLIPS)("loads every other line, whichever byte becomes %s", (_, flip) => {
    const small = mixedLog(16);
    for (let offset = 0; offset < small.log.length; offset += STEP) {
      const byte = flip(small.log[offset] as number);
      const missing = missingAfterFlip(small, { offset, byte, look: "all" });
      if (missing.length > 0) expect({ offset, missing }).toEqual({ offset, missing: [] });
    }
  });

  it("loads every other line of 200 entries, with another flip at every byte", () => {
    const large = mixedLog(200);
    for (let offset = 0; offset < large.log.length; offset += STEP) {
      const flip = FLIPS[offset % FLIPS.length]?.[1] as (byte: number) => number;
      const byte = flip(large.log[offset] as number);
      // 37 and the number of flips have no divisor in common: every flip gets its close looks.
      const missing = missingAfterFlip(large, { offset, byte, look: offset % 37 === 0 ? "all" : "near" });
      if (missing.length > 0) expect({ offset, missing }).toEqual({ offset, missing: [] });
    }
  });

  it("goes on in it: what is appended is there after reopening, and so is every other line", () => {
    const small = mixedLog(16);
    for (let offset = small.starts[1] as number; offset < small.log.length; offset += STEP) {
      writeFileSync(small.path, small.log);
      const flipped = Buffer.from(small.log);
      flipped[offset] = (flipped[offset] as number) ^ 1;
      writeFileSync(small.path, flipped);
      const session = SessionManager.open(small.path);
      const added = session.appendMessage(user("danach"));
      session.close();
      const grown = readFileSync(small.path);
      const again = SessionManager.open(small.path);
      const entry = again.getEntry(added);
      again.close();
      expect([offset, entry?.type, again.getLeafId()]).toEqual([offset, "message", added]);
      expect(grown.subarray(0, flipped.length).equals(flipped)).toBe(true);
    }
  });
});
