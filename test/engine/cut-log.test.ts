import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SessionManager } from "../../src/session/index.js";
import { user } from "../support/messages.js";
import { fillMixed, MIXED_OPTIONS } from "../support/mixed-session.js";
import { fastFolder } from "../support/temp-folder.js";

/** One text per entry, so that 200 of them compare quickly. Lines of ours are what `JSON.stringify` makes of them. */
function textOf(session: SessionManager): string {
  let text = "";
  for (const entry of session.getEntries()) text += `${JSON.stringify(entry)}\n`;
  return text;
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
    const lines = log.subarray(0, boundary).filter((byte) => byte === 0x0a).length;
    const torn = { code: "torn-tail", line: lines + 1, offset: boundary, bytes: cut - boundary };

    const session = SessionManager.open(path);
    const losses = () => session.getProblems().map(({ code, line, offset, bytes }) => ({ code, line, offset, bytes }));
    const found = [textOf(session).trimEnd(), losses()];
    const added = session.appendMessage(user("danach"));
    const message = session.getEntry(added);
    // Looking again must not invent damage, nor forget it: the torn line is an unreadable one now.
    session.refresh();
    const lossesLater = losses();
    session.close();

    const again = SessionManager.open(path, undefined, { readOnly: true });
    const foundAgain = textOf(again);
    again.close();
    if (
      found[0] !== kept ||
      JSON.stringify(found[1]) !== JSON.stringify(complete ? [] : [torn]) ||
      JSON.stringify(lossesLater) !== JSON.stringify(complete ? [] : [{ ...torn, code: "unreadable-line" }]) ||
      foundAgain !== `${kept === "" ? "" : `${kept}\n`}${JSON.stringify(message)}\n` ||
      again.getLeafId() !== added
    ) {
      // One comparison that shows everything, for the first cut that fails.
      expect({
        cut,
        kept: found[0],
        losses: found[1],
        lossesLater,
        again: foundAgain,
        leaf: again.getLeafId(),
      }).toEqual({
        cut,
        kept,
        losses: complete ? [] : [torn],
        lossesLater: complete ? [] : [{ ...torn, code: "unreadable-line" }],
        again: `${kept}\n${JSON.stringify(message)}\n`,
        leaf: added,
      });
    }
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
