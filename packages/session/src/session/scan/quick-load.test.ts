import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEADER_LINE, line, positionLine } from "../../../../../test/support/session-lines.js";
import { inOneGo, MemoryLog, type Steps } from "../../log/index.js";
import { childrenOf, type TreeIndex } from "../../tree/index.js";
import { quickLoad, quickLoadSteps } from "./quick-load.js";
import { SessionIndex } from "./session-index.js";

function logOf(text: string): MemoryLog {
  const log = new MemoryLog({ access: "read" });
  log.fill(Buffer.from(text));
  return log;
}

/** The result of steps, and how often other work could run in between. */
function stepped<Result>(steps: Steps<Result>): { readonly value: Result; readonly rests: number } {
  let step = steps.next();
  let rests = 0;
  for (; step.done !== true; step = steps.next()) rests += 1;
  return { value: step.value, rests };
}

/** The index as built line by line, as for a file that is not in order. */
function carefully(text: string): SessionIndex {
  const index = new SessionIndex(logOf(`${text}what?\n`));
  index.load();
  return index;
}

/** Everything an index knows. */
function facts(tree: TreeIndex) {
  return {
    leaf: tree.loadedLeaf,
    labels: tree.labelEntries,
    names: tree.nameEntries,
    compaction: tree.latestCompaction,
    roots: childrenOf(tree, -1),
    entries: Array.from({ length: tree.count }, (_, n) => ({
      id: tree.ids.textOf(n),
      found: tree.ids.findText(tree.ids.textOf(n)),
      parent: tree.parentOf(n),
      kind: tree.kindOf(n),
      role: tree.roleOf(n),
      offset: tree.offsetOf(n),
      length: tree.lengthOf(n),
      mark: tree.markAt(n),
      children: childrenOf(tree, n),
    })),
  };
}

const FIELDS = [
  {},
  { message: { role: "assistant", content: [] } },
  { message: { content: "role comes later", role: "toolResult" } },
  { type: "compaction", message: undefined, summary: "s" },
  { type: "model_change", message: undefined, modelId: "m" },
  { type: "label", message: undefined, targetId: "x", label: "l" },
  { type: "session_info", message: undefined, name: "n" },
  { type: "custom", message: undefined, customType: "note" },
  { type: "context_edit", message: undefined, targetId: "x", replacement: null },
  { type: "dream", message: undefined },
] as const;

interface Row {
  readonly pick: number;
  readonly fields: (typeof FIELDS)[number];
  readonly style: "as written" | "other order" | "escaped" | "position" | "spaced";
}

const row: fc.Arbitrary<Row> = fc.record({
  pick: fc.nat(1_000_000),
  fields: fc.constantFrom(...FIELDS),
  style: fc.constantFrom<Row["style"]>("as written", "as written", "other order", "escaped", "position", "spaced"),
});

/** A file in order: parents before children, unique IDs, and no child of a position. */
function textOf(rows: readonly Row[]): string {
  let text = HEADER_LINE;
  const parents: (string | null)[] = [null];
  for (const [i, { pick, fields, style }] of rows.entries()) {
    const id = style === "escaped" ? `ä"${i}` : `e${i}`;
    const parent = parents[pick % parents.length] as string | null;
    if (style === "position") {
      text += positionLine(id, parent);
      continue;
    }
    parents.push(id);
    const written = line(id, parent, fields);
    if (style === "other order") text += `${JSON.stringify(reversed(JSON.parse(written) as object))}\n`;
    else text += style === "spaced" ? `  ${written.trimEnd()} \r\n\n` : written;
  }
  return text;
}

function reversed(record: object): object {
  return Object.fromEntries(Object.entries(record).reverse());
}

describe("loading quickly", () => {
  it("gives the index that loading line by line gives", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const text = textOf(rows);
        const quick = quickLoad(logOf(text));
        expect(quick).toBeDefined();
        const careful = carefully(text);
        expect(facts(quick?.tree as TreeIndex)).toEqual(facts(careful.tree));
        expect(quick?.header).toEqual(careful.header);
        expect(careful.problems.map(({ code }) => code)).toEqual(["unreadable-line"]);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same in slices of any size, and rests in between", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), fc.integer({ min: 1, max: 2000 }), (rows, slice) => {
        const text = textOf(rows);
        const sliced = stepped(quickLoadSteps(logOf(text), slice));
        const whole = stepped(quickLoadSteps(logOf(text), Buffer.byteLength(text)));
        expect(facts(sliced.value?.tree as TreeIndex)).toEqual(facts(quickLoad(logOf(text))?.tree as TreeIndex));
        expect(sliced.rests > whole.rests).toBe(slice < Buffer.byteLength(text));
        expect(inOneGo(quickLoadSteps(logOf(`${text}what?\n`), slice))).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it("rests while it finishes the index of a long log", () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => line(`e${i}`, i === 0 ? null : `e${i - 1}`));
    const text = HEADER_LINE + lines.join("");
    const slice = Buffer.byteLength(text);
    const short = stepped(quickLoadSteps(logOf(HEADER_LINE + lines[0]), slice));
    const long = stepped(quickLoadSteps(logOf(text), slice));
    expect(long.value?.tree.count).toBe(10_000);
    expect(long.rests - short.rests).toBe(2);
  });

  it("gives the same from a file with thousands of entries, whose size it guesses", () => {
    const rows = Array.from(
      { length: 3000 },
      (_, i): Row => ({ pick: i * 7919, fields: FIELDS[i % 10] ?? {}, style: "as written" }),
    );
    const text = textOf(rows);
    expect(facts(quickLoad(logOf(text))?.tree as TreeIndex)).toEqual(facts(carefully(text).tree));
  });

  it.each([
    ["no header", line("a", null)],
    ["a late header", line("a", null) + HEADER_LINE],
    ["two headers", HEADER_LINE + HEADER_LINE],
    ["an id twice", HEADER_LINE + line("a", null) + line("a", null)],
    ["a missing parent", HEADER_LINE + line("a", "gone")],
    ["a parent that comes later", HEADER_LINE + line("b", "a") + line("a", null)],
    ["its own parent", HEADER_LINE + line("a", "a")],
    ["a child of a position", HEADER_LINE + positionLine("p", null) + line("a", "p")],
    ["a torn tail", HEADER_LINE + line("a", null) + line("b", "a").slice(0, 50)],
    ["a last line without newline", HEADER_LINE + line("a", null).trimEnd()],
    ["a line that is not JSON", `${HEADER_LINE}what?\n`],
    ["NULs", `${HEADER_LINE}\0\0\0\n`],
    ["nothing", ""],
  ])("leaves a file with %s to the careful way", (_, text) => {
    expect(quickLoad(logOf(text))).toBeUndefined();
  });
});
