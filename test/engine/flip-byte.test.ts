import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionManager } from "../../src/session/index.js";
import { user } from "../support/messages.js";
import { fillMixed, MIXED_OPTIONS } from "../support/mixed-session.js";
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
  /** The entries, one text each, and where their lines start. */
  readonly texts: readonly string[];
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
  return { log, path: join(dir, "flipped.jsonl"), texts, starts };
}

/** Opens the log with one byte changed and answers which of the other lines did not come back. */
function missingAfterFlip({ log, path, texts, starts }: MixedLog, offset: number, byte: number): string[] {
  const flipped = Buffer.from(log);
  flipped[offset] = byte;
  writeFileSync(path, flipped);
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const found = new Set<string>();
  for (const entry of session.getEntries()) found.add(JSON.stringify(entry));
  const { messages } = session.buildSessionContext();
  session.close();
  const hit = starts.findLastIndex((start) => start <= offset);
  const missing: string[] = Array.isArray(messages) ? [] : ["the context"];
  for (let i = 1; i < texts.length; i++)
    if (i !== hit && !found.has(texts[i] as string)) missing.push(texts[i] as string);
  return missing;
}

describe("a log with one byte flipped", () => {
  it.each(FLIPS)("loads every other line, whichever byte becomes %s", (_, flip) => {
    const small = mixedLog(16);
    for (let offset = 0; offset < small.log.length; offset++) {
      const byte = small.log[offset] as number;
      const missing = missingAfterFlip(small, offset, flip(byte));
      if (missing.length > 0) expect({ offset, missing }).toEqual({ offset, missing: [] });
    }
  });

  it("loads every other line of 200 entries, with another flip at every byte", () => {
    const large = mixedLog(200);
    for (let offset = 0; offset < large.log.length; offset++) {
      const flip = FLIPS[offset % FLIPS.length]?.[1] as (byte: number) => number;
      const missing = missingAfterFlip(large, offset, flip(large.log[offset] as number));
      if (missing.length > 0) expect({ offset, missing }).toEqual({ offset, missing: [] });
    }
  });

  it("goes on in it: what is appended is there after reopening, and so is every other line", () => {
    const small = mixedLog(16);
    for (let offset = small.starts[1] as number; offset < small.log.length; offset++) {
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
