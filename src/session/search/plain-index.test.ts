/** The quick index must say what the careful one says, or nothing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRecord } from "../../entry/index.js";
import { HEADER, line } from "./search.test-support.js";
import { plainFacts, type SessionFacts, storeFacts } from "./session-facts.js";
import { WindowLog } from "./window-log.js";

type Made = readonly [kind: number, parent: number, target: number];

/** The line of entry n: a message below the one before it, or something else. */
function lineOf([kind, back, target]: Made, n: number): string {
  const parent = back === 0 || n === 0 ? n - 1 : n - 1 - (back % n);
  const parentId = parent < 0 || back === 9 ? null : `e${parent}`;
  const other = `e${n === 0 ? 0 : target % n}`;
  switch (kind) {
    case 0:
      return line(`e${n}`, parentId, { type: "label", targetId: other, label: "l" });
    case 1:
      return line(`e${n}`, parentId, { type: "session_info", name: target % 3 === 0 ? " " : `name ${n}` });
    case 2:
      return line(`e${n}`, parentId, { type: "custom", customType: "bough.position" });
    case 3:
      return line(`e${n}`, parentId, { type: "custom", customType: "mine", data: 1 });
    case 4:
      return line(`e${n}`, parentId, { type: "compaction", summary: "s", firstKeptEntryId: other, tokensBefore: 1 });
    case 5:
      return line(`e${n}`, parentId, { type: "model_change", provider: "p", modelId: "m" });
    case 6:
      return line(`e${n}`, parentId, { type: "unheard_of" });
    case 7:
      // Keys in another order.
      return `{"id":"e${n}","type":"message","parentId":${JSON.stringify(parentId)},"timestamp":"t","message":{"role":"user","content":"x"}}`;
    default:
      return line(`e${n}`, parentId, "text");
  }
}

/** State and name of everything, as one thing to compare. */
function said(facts: SessionFacts, text: string): unknown {
  let offset = 0;
  const states = text.split("\n").map((written) => {
    const at = offset;
    offset += Buffer.byteLength(written) + 1;
    const record = parseRecord(written);
    return record.kind === "entry" ? facts.states.stateOf(record.entry, at) : "no entry";
  });
  return { id: facts.id, name: facts.name, states };
}

const entries = fc.array(fc.tuple(fc.nat(20), fc.oneof(fc.constant(0), fc.nat(9)), fc.nat(30)), { maxLength: 30 });

test("in a session in order every entry has the same state, and the session the same name", () => {
  let quick = 0;
  fc.assert(
    fc.property(entries, (made) => {
      const text = `${[HEADER, ...made.map(lineOf)].join("\n")}\n`;
      const plain = plainFacts(new WindowLog(Buffer.from(text)));
      if (plain === undefined) return;
      quick += 1;
      expect(said(plain, text)).toEqual(said(storeFacts(new WindowLog(Buffer.from(text)), "/w/s.jsonl"), text));
    }),
    { numRuns: 500 },
  );
  // Only a position as a parent makes one of these odd.
  expect(quick).toBeGreaterThan(200);
});

test("anything odd is left to the careful index", () => {
  const a = line("a", null, "one");
  const b = line("b", "a", "two");
  const odd = {
    "no header": [a, b],
    "an id twice": [HEADER, a, b, line("b", "a", "three")],
    "an absent parent": [HEADER, a, line("b", "x", "two")],
    "a parent that comes later": [HEADER, b, a],
    "a damaged line": [HEADER, a, b.slice(0, 40), line("c", "a", "three")],
    "a damaged leaf": [HEADER, a, `${b.slice(0, -4)}}`],
    "a damaged compaction": [
      HEADER,
      a,
      '{"type":"compaction","id":"c","parentId":"a","timestamp":"t",}',
      line("d", "c", "x"),
    ],
    "a second header": [HEADER, a, HEADER],
    "a header like an entry": [HEADER, a, line("s", "a", { type: "session" })],
  };
  for (const [what, lines] of Object.entries(odd)) {
    expect(plainFacts(new WindowLog(Buffer.from(`${lines.join("\n")}\n`))), what).toBeUndefined();
  }
  expect(plainFacts(new WindowLog(Buffer.from(`${HEADER}\n${a}\n${b}`)))).toBeUndefined();
  // Blank lines are not odd.
  expect(plainFacts(new WindowLog(Buffer.from(`${HEADER}\n${a}\n \n\n${b}\n`)))).toBeDefined();
});
