/** A log of 200 entries cut at every byte: complete lines load, the loss is reported, and the session continues. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, it } from "vitest";
import { user } from "../support/messages.js";
import { fillMixed, MIXED_OPTIONS } from "../support/mixed-session.js";
import { sampledStep } from "../support/sampled.js";
import { reachableIds } from "../support/session-snapshot.js";
import { fastFolder } from "../support/temp-folder.js";

/** All 30,000 cuts take minutes. */
const FULL_RUN_MS = 3_600_000;

/** Every kind of line is among so many last ones: cuts in them are looked at most closely. */
const LAST_LINES = 20;

/** The readable entries as the lines they were written as, which is what `JSON.stringify` makes of them. */
function textOf(entries: readonly (SessionEntry | undefined)[]): string {
  let text = "";
  for (const entry of entries)
    if (entry !== undefined && entry.type !== "unreadable") text += `${JSON.stringify(entry)}\n`;
  return text;
}

/** The entries as texts: all of them, or all ids and the text of the last ones, which the cut is nearest to. */
type Look = (session: SessionManager, ids: readonly string[]) => string;
const closeLook: Look = (session) => textOf(session.getEntries());
const quickLook: Look = (session, ids) =>
  `${reachableIds(session).sort().join(" ")}\n${textOf(ids.slice(-4).map((id) => session.getEntry(id)))}`;

/** A cut line that ends in a brace looks whole at first, and is then named as an entry that cannot be read. */
const LOSSES = new Set(["torn-tail", "unreadable-line", "unreadable-entry"]);

function lossesOf(session: SessionManager): string[] {
  return session
    .getProblems()
    .map(({ code, line, bytes }) => (LOSSES.has(code) ? `line ${line}, ${bytes} bytes` : code));
}

function mixedLog(count: number) {
  const dir = fastFolder();
  const original = SessionManager.create("/w", dir, MIXED_OPTIONS());
  fillMixed(original, count);
  original.close();
  const log = readFileSync(original.getSessionFile() as string);
  return { log, headerLength: log.indexOf("\n") + 1, path: join(dir, "cut.jsonl") };
}

/** What a cut leaves: the complete lines and their ids, the id of the line it fell into, and the loss in words. */
interface Cut {
  readonly at: number;
  readonly line: number;
  readonly kept: readonly string[];
  readonly ids: readonly string[];
  readonly losses: readonly string[];
  readonly look: "close" | "quick";
}

/** A sample of the cuts within a line; of those near its ends all, for the last lines and a sample of those above. */
const STEP = sampledStep(251);
const LINE_STEP = sampledStep(7);

function* cutsOf({ log, headerLength }: ReturnType<typeof mixedLog>): Generator<Cut> {
  const lines = log.toString("utf8", headerLength).split("\n").slice(0, -1);
  const ids = lines.map((text) => (JSON.parse(text) as SessionEntry).id);
  let start = headerLength;
  for (const [line, text] of lines.entries()) {
    const end = start + Buffer.byteLength(text);
    for (let at = start + 1; at <= end + 1; at++) {
      // At the end only the newline is missing; behind it nothing is.
      const complete = at >= end;
      const count = complete ? line + 1 : line;
      const isLast = line >= lines.length - LAST_LINES;
      const isNearEdge = (at < start + 2 || at > end - 2) && (isLast || line % LINE_STEP === 0);
      if (!isNearEdge && at % STEP !== 0) continue;
      yield {
        at,
        line,
        kept: lines.slice(0, count),
        ids: ids.slice(0, count),
        losses: complete ? [] : [`line ${line + 2}, ${at - start} bytes`],
        look: isNearEdge || isLast ? "close" : "quick",
      };
    }
    start = end + 1;
  }
}

/** What opening a session with these lines must report. */
function expectedLook({ kept, ids, look }: Cut): string {
  if (look === "close") return kept.map((text) => `${text}\n`).join("");
  const texts = kept.slice(-4).map((text) => `${text}\n`);
  return `${ids.toSorted().join(" ")}\n${texts.join("")}`;
}

/** Opens what the cut left and continues. */
function wentOn(path: string, cut: Cut) {
  const session = SessionManager.open(path);
  const look = cut.look === "close" ? closeLook : quickLook;
  const found = { kept: look(session, cut.ids), losses: lossesOf(session) };
  const added = session.appendMessage(user("danach"));
  const line = `${JSON.stringify(session.getEntry(added))}\n`;
  // Opening it again must neither invent damage nor forget it.
  session.refresh();
  const later = lossesOf(session);
  session.close();
  return { found, later, added, line };
}

function reopened(path: string) {
  const again = SessionManager.open(path, undefined, { readOnly: true });
  const found = { kept: textOf(again.getEntries()), losses: lossesOf(again), leaf: again.getLeafId() };
  again.close();
  return found;
}

it(
  "keeps every complete record of a log of 200 entries cut at any byte, names the loss, and continues",
  () => {
    const mixed = mixedLog(200);
    const { log, path } = mixed;
    let cuts = 0;
    for (const cut of cutsOf(mixed)) {
      cuts += 1;
      const { at, losses } = cut;
      const left = log.subarray(0, at);
      writeFileSync(path, left);
      const { found, later, added, line } = wentOn(path, cut);
      const fresh = left.at(-1) === 0x0a ? "" : "\n";
      const isGrown = readFileSync(path).equals(Buffer.concat([left, Buffer.from(fresh + line)]));
      const again = cut.look === "close" ? reopened(path) : undefined;

      const kept = expectedLook(cut);
      const expected = {
        found: { kept, losses },
        later: losses,
        isGrown: true,
        again: again && { kept: kept + line, losses, leaf: added },
      };
      const actual = { found, later, isGrown, again };
      // Comparing texts first makes 30,000 cuts quick; the first one that fails is shown in full.
      if (JSON.stringify(actual) !== JSON.stringify(expected)) expect({ at, ...actual }).toEqual({ at, ...expected });
    }
    expect(cuts).toBeGreaterThanOrEqual(Math.floor((log.length - mixed.headerLength) / STEP));
  },
  FULL_RUN_MS,
);

it("says what is wrong with a log cut inside its header, and does not change it", () => {
  const { log, headerLength, path } = mixedLog(1);
  for (let cut = 1; cut < headerLength - 1; cut++) {
    writeFileSync(path, log.subarray(0, cut));
    expect(() => SessionManager.open(path)).toThrow(expect.objectContaining({ code: "not-a-session" }));
    expect(readFileSync(path)).toEqual(log.subarray(0, cut));
  }
});

it("continues after a header whose newline is missing, and finds one header", () => {
  const { log, headerLength, path } = mixedLog(1);
  writeFileSync(path, log.subarray(0, headerLength - 1));
  const session = SessionManager.open(path);
  const first = session.appendMessage(user("first"));
  const second = session.appendMessage(user("second"));
  session.refresh();
  expect([session.getEntries().map(({ id }) => id), session.getProblems()]).toEqual([[first, second], []]);
});
