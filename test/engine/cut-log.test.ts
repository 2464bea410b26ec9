import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SessionManager } from "../../src/session/index.js";
import { user } from "../support/messages.js";
import { fillMixed, MIXED_OPTIONS } from "../support/mixed-session.js";
import { fastFolder } from "../support/temp-folder.js";

/** The readable entries as the lines they were written as, which is what `JSON.stringify` makes of them. */
function textOf(session: SessionManager): string {
  let text = "";
  for (const entry of session.getEntries()) if (entry.type !== "unreadable") text += `${JSON.stringify(entry)}\n`;
  return text.trimEnd();
}

/** A cut line that ends in a brace looks whole at first, and is then named as an entry that cannot be read. */
const LOSSES = new Set(["torn-tail", "unreadable-line", "unreadable-entry"]);

function lossesOf(session: SessionManager): string[] {
  return session
    .getProblems()
    .map(({ code, line, bytes }) => (LOSSES.has(code) ? `line ${line}, ${bytes} bytes` : code));
}

it("keeps every complete record of a log of 200 entries cut at any byte, names the loss, and goes on", () => {
  const dir = fastFolder();
  const original = SessionManager.create("/w", dir, MIXED_OPTIONS());
  fillMixed(original, 200);
  original.close();
  const log = readFileSync(original.getSessionFile() as string);
  const headerLength = log.indexOf("\n") + 1;
  const path = join(dir, "cut.jsonl");

  for (let cut = log.length; cut > headerLength; cut--) {
    writeFileSync(path, log.subarray(0, cut));
    const boundary = log.lastIndexOf("\n", cut - 1) + 1;
    const complete = log[cut] === 0x0a || boundary === cut;
    const kept = log.toString("utf8", headerLength, complete ? cut : boundary).trimEnd();
    const loss = `line ${log.subarray(0, boundary).filter((byte) => byte === 0x0a).length + 1}, ${cut - boundary} bytes`;

    const session = SessionManager.open(path);
    const found = { kept: textOf(session), losses: lossesOf(session) };
    const added = session.appendMessage(user("danach"));
    const message = JSON.stringify(session.getEntry(added));
    // Looking again must neither invent damage nor forget it.
    session.refresh();
    const later = lossesOf(session);
    session.close();

    const again = SessionManager.open(path, undefined, { readOnly: true });
    const reopened = { kept: textOf(again), losses: lossesOf(again), leaf: again.getLeafId() };
    again.close();

    const losses = complete ? [] : [loss];
    const grown = `${kept === "" ? "" : `${kept}\n`}${message}`;
    const expected = {
      found: { kept, losses },
      later: losses,
      reopened: { kept: grown, losses, leaf: added },
    };
    const actual = { found, later, reopened };
    // Comparing texts first makes 30,000 cuts quick; the first one that fails is shown in full.
    if (JSON.stringify(actual) !== JSON.stringify(expected)) expect({ cut, ...actual }).toEqual({ cut, ...expected });
  }
});

it("says what is wrong with a log cut inside its header, and leaves it as it is", () => {
  const dir = fastFolder();
  const original = SessionManager.create("/w", dir, MIXED_OPTIONS());
  fillMixed(original, 1);
  original.close();
  const log = readFileSync(original.getSessionFile() as string);
  const headerLength = log.indexOf("\n") + 1;
  const path = join(dir, "cut.jsonl");
  for (let cut = 1; cut < headerLength - 1; cut++) {
    writeFileSync(path, log.subarray(0, cut));
    expect(() => SessionManager.open(path)).toThrow(expect.objectContaining({ code: "not-a-session" }));
    expect(readFileSync(path)).toEqual(log.subarray(0, cut));
  }
});

it("goes on behind a header whose newline is missing, and finds one header", () => {
  const dir = fastFolder();
  const original = SessionManager.create("/w", dir, MIXED_OPTIONS());
  fillMixed(original, 1);
  original.close();
  const log = readFileSync(original.getSessionFile() as string);
  const path = join(dir, "cut.jsonl");
  writeFileSync(path, log.subarray(0, log.indexOf("\n")));
  const session = SessionManager.open(path);
  const first = session.appendMessage(user("first"));
  const second = session.appendMessage(user("second"));
  session.refresh();
  expect([session.getEntries().map(({ id }) => id), session.getProblems()]).toEqual([[first, second], []]);
});
