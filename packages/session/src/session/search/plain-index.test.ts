/** The quick index must agree with the careful one, or give nothing. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { Kind, parseRecord, Role } from "../../entry/index.js";
import { inOneGo } from "../../log/index.js";
import { marksFromLeaf, SHOWN } from "./branch-states.js";
import { createByteFinder } from "./match/find-bytes.js";
import { loadPlain } from "./plain-index.js";
import { plainFile, plainMemory } from "./plain-source.js";
import { HEADER, line } from "./search.test-support.js";
import { plainFacts, type SessionFacts, storeFacts } from "./session-facts.js";
import { WindowLog } from "./window-log.js";

const WINDOW = 1 << 13;

type Made = readonly [kind: number, parent: number, target: number];

/** As long as IDs usually are, here and in pi, and occasionally longer. */
function idOf(n: number): string {
  return n % 11 === 7 ? `a-very-long-id-${n}` : `e${n}`.padEnd(n % 3 === 0 ? 8 : 12, "-");
}

/** The line of entry n: a message that is a child of the one before it, or something else. */
function lineOf([kind, back, target]: Made, n: number): string {
  const id = idOf(n);
  const parent = back === 0 || n === 0 ? n - 1 : n - 1 - (back % n);
  const parentId = parent < 0 || back === 9 ? null : idOf(parent);
  const other = idOf(n === 0 ? 0 : target % n);
  switch (kind) {
    case 0:
      return line(id, parentId, { type: "label", targetId: other, label: "l" });
    case 1:
      return line(id, parentId, { type: "session_info", name: target % 3 === 0 ? " " : `name ${n}` });
    case 2:
      return line(id, parentId, { type: "custom", customType: "bough.position" });
    case 3:
      return line(id, parentId, { type: "custom", customType: target % 9 === 0 ? "bough.mine" : "mine", data: 1 });
    case 4:
      return line(id, parentId, { type: "compaction", summary: "s", firstKeptEntryId: other, tokensBefore: 1 });
    case 5:
      return line(id, parentId, { type: "model_change", provider: "p", modelId: "m" });
    case 6:
      return line(id, parentId, { type: "unheard_of" });
    case 7:
      // Keys in another order.
      return `{"id":"${id}","type":"message","parentId":${JSON.stringify(parentId)},"timestamp":"t","message":{"role":"user","content":"x"}}`;
    case 8:
      return line(id, parentId, {
        type: "custom_message",
        customType: target % 9 === 0 ? "bough.x" : "x",
        content: "c",
      });
    default:
      return line(id, parentId, "text");
  }
}

/** State and name of every entry, as one value to compare. */
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

/** The ways to read a log: with vectors or line by line, from memory or through a window. */
const WAYS = ["from memory", "from memory, line by line", "from a file through a window"] as const;
type Way = (typeof WAYS)[number];

const path = join(mkdtempSync(join(tmpdir(), "bough-plain-")), "s.jsonl");
/** The file of the last log, which its facts may still read. */
let opened = -1;
afterAll(() => {
  if (opened >= 0) closeSync(opened);
  rmSync(dirname(path), { recursive: true });
});

function plainOf(text: string | Buffer, way: Way): SessionFacts | undefined {
  const bytes = Buffer.from(text as string);
  if (way === "from memory, line by line") return inOneGo(plainFacts(loadPlain(plainMemory(bytes, undefined))));
  const finder = createByteFinder(way === "from memory" ? bytes.length : WINDOW);
  expect(finder.runs).toBeDefined();
  if (way === "from memory") {
    bytes.copy(finder.window);
    return inOneGo(plainFacts(loadPlain(plainMemory(finder.window.subarray(0, bytes.length), finder.runs))));
  }
  if (opened >= 0) closeSync(opened);
  writeFileSync(path, bytes);
  opened = openSync(path, "r");
  const source = plainFile(opened, finder);
  return source === undefined ? undefined : inOneGo(plainFacts(loadPlain(source)));
}

function careful(text: string | Buffer): SessionFacts {
  return inOneGo(storeFacts(new WindowLog(Buffer.from(text as string)), "/w/s.jsonl"));
}

const entries = fc.array(fc.tuple(fc.nat(20), fc.oneof(fc.constant(0), fc.nat(9)), fc.nat(30)), { maxLength: 30 });

const RUNS = sampledRuns({ all: 300, some: 40 });

describe.each(WAYS)("read %s", (way) => {
  test("in a session in order every entry has the same state, and the session the same name", () => {
    let quick = 0;
    fc.assert(
      fc.property(entries, (made) => {
        const text = `${[HEADER, ...made.map(lineOf)].join("\n")}\n`;
        const plain = plainOf(text, way);
        if (plain === undefined) return;
        quick += 1;
        expect(said(plain, text)).toEqual(said(careful(text), text));
      }),
      { numRuns: RUNS },
    );
    // Only a position as a parent makes one of these odd.
    expect(quick).toBeGreaterThan(0.4 * RUNS);
  });

  test("a byte that is not what it should be never makes another tree", () => {
    const lines = Array.from({ length: 8 }, (_, n) => line(idOf(n), n === 0 ? null : idOf(n - 1), `text ${n}`));
    const whole = Buffer.from(`${[HEADER, ...lines].join("\n")}\n`);
    const from = HEADER.length + 1;
    const odd = fc.constantFrom(...Array.from('"\\\n{}e0- \u007f', (one) => one.charCodeAt(0)), 0x00, 0x80, 0xff);
    fc.assert(
      fc.property(fc.integer({ min: from, max: whole.length - 1 }), odd, (at, byte) => {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        const text = bytes.toString("latin1");
        const plain = plainOf(bytes, way);
        if (plain === undefined) return;
        expect(said(plain, text)).toEqual(said(careful(bytes), text));
      }),
      { numRuns: sampledRuns({ all: 1000, some: 75 }) },
    );
  });

  test("more children of one entry, and longer ways, than fit into one step", () => {
    const ids = Array.from({ length: 9000 }, (_, n) => `e${n}`.padEnd(8, "-"));
    const lines = ids.map((id, n) => line(id, n === 0 ? null : (ids[n % 4500 < 4300 ? n - 1 : 3] as string), "x"));
    const text = `${[HEADER, ...lines].join("\n")}\n`;
    const plain = plainOf(text, way);
    expect(said(plain as SessionFacts, text)).toEqual(said(careful(text), text));
  });
});

test("what comes behind something odd is not read", () => {
  const texts = [
    HEADER,
    line("a-------", null, "one"),
    line("b-------", "absent--", "two"),
    line("c-------", "a-------", "x"),
  ];
  let read = 0;
  let offset = 0;
  function* pieces() {
    for (const text of texts) {
      read += 1;
      const bytes = Buffer.from(`${text}\n`);
      yield { bytes, offset };
      offset += bytes.length;
    }
  }
  expect(inOneGo(plainFacts(loadPlain({ runs: undefined, pieces, readAt: () => Buffer.alloc(0) })))).toBeUndefined();
  expect(read).toBe(3);
});

test("anything odd is left to the careful index", () => {
  const a = line("a-------", null, "one");
  const b = line("b-------", "a-------", "two");
  const odd = {
    "no header": [a, b],
    "an id twice": [HEADER, a, b, line("b-------", "a-------", "three")],
    "an absent parent": [HEADER, a, line("b-------", "x-------", "two")],
    "a parent that comes later": [HEADER, b, a],
    "a damaged line": [HEADER, a, b.slice(0, 40), line("c-------", "a-------", "three")],
    "a damaged leaf": [HEADER, a, `${b.slice(0, -4)}}`],
    "a damaged compaction": [
      HEADER,
      a,
      '{"type":"compaction","id":"c-------","parentId":"a-------","timestamp":"t",}',
      line("d-------", "c-------", "x"),
    ],
    "a second header": [HEADER, a, HEADER],
    "a header like an entry": [HEADER, a, line("s-------", "a-------", { type: "session" })],
  };
  for (const way of WAYS) {
    for (const [what, lines] of Object.entries(odd)) {
      expect(plainOf(`${lines.join("\n")}\n`, way), what).toBeUndefined();
    }
    expect(plainOf(`${HEADER}\n${a}\n${b}`, way)).toBeUndefined();
    // Blank lines are not odd.
    expect(plainOf(`${HEADER}\n${a}\n \n\n${b}\n`, way)).toBeDefined();
  }
});

test("lets other work run while it places the entries of a long path", () => {
  const count = 10_000;
  const places = marksFromLeaf({
    count,
    leaf: count - 1,
    parentOf: (n) => n - 1,
    kindOf: () => Kind.message,
    roleOf: () => Role.user,
    markAt: () => -1,
    numberOf: () => -1,
    entryAt: () => expect.fail("no entry has to be read"),
  });
  let rests = 0;
  let step = places.next();
  for (; step.done !== true; step = places.next()) rests += 1;
  expect(rests).toBeGreaterThan(3);
  expect(step.value).toEqual(new Uint8Array(count).fill(SHOWN));
});
