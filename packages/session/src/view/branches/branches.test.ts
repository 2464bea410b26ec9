import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answer, says, tree, user } from "../../context/tree-notation.test-support.js";
import { kindOf, roleOf, type SessionEntry } from "../../entry/index.js";
import { nextOf } from "../../text/index.js";
import { Labels, TreeIndex, type TreeSource } from "../../tree/index.js";
import { asciiAt, eitherAt, optionsAt, screen } from "../drawn-text.test-support.js";
import type { LayoutOptions } from "../list-layout.js";
import { BranchList, type BranchListQuery } from "./branch-list.js";
import { BRANCH_SORTS, type BranchListState, layoutBranches } from "./layout-branches.js";

interface TestSource extends TreeSource {
  reads: number;
  add(...entries: readonly SessionEntry[]): void;
}

function sourceOf({ entries, leafId }: ReturnType<typeof tree>): TestSource {
  const index = new TreeIndex();
  const held: SessionEntry[] = [];
  const labels = new Labels();
  const source: TestSource = {
    tree: index,
    reads: 0,
    name: undefined,
    get leaf() {
      return leafId === null ? held.length - 1 : index.ids.findText(leafId);
    },
    entryAt: (n) => {
      source.reads += 1;
      return held[n] as SessionEntry;
    },
    labelOf: (n) => labels.resolve(index, (at) => held[at] as SessionEntry).get(index.ids.textOf(n)),
    add: (...added) => {
      for (const entry of added) {
        held.push(entry);
        index.add(entry.id, entry.parentId, { kind: kindOf(entry), role: roleOf(entry), offset: 0, length: 100 });
      }
    },
  };
  source.add(...entries);
  return source;
}

const edit = (id: string, path: string) => ({ type: "toolCall" as const, id, name: "edit", arguments: { path } });
const result = (toolCallId: string, isError = false) => says({ role: "toolResult", toolCallId, content: [], isError });

/**
 *     p1 ─ a1 ─ p2 ─ a2 ─ p3 ─ a3*        #1
 *           │    └─ x1 ─ r1 ─ r2 ─ x2     (below a2) #3, stopped
 *           └─ q1 ─ b1                    #2, labelled lexer, merged by s
 *     e1                                  #4, an empty start
 */
const DRAWN = tree("p1-a1-p2-a2-p3-a3*; a1-q1-b1; a2-x1-y1-r1-r2-x2; a3-s; e1; q1-l", {
  p1: says(user("wire the tokenizer into the CLI")),
  a1: says(answer("done", edit("1", "src/cli.ts"))),
  p2: says(user("keep the generated one, add tests")),
  a2: says(answer("tests pass")),
  p3: says(user("fix the failing edge cases")),
  a3: says(answer("green")),
  q1: says(user("try a hand-written lexer")),
  b1: says(answer("it works", edit("2", "src/lex.ts"), edit("3", "src/lex.ts"), edit("4", "src/table.ts"))),
  x1: says(user("重写错误类型 rewrite the error type")),
  y1: says(answer(edit("5", "src/error.ts"), edit("6", "src/other.ts"))),
  r1: result("5"),
  r2: result("6", true),
  x2: says({ ...answer("I stop"), stopReason: "aborted" }),
  s: { type: "branch_summary", fromId: "b1", summary: "The lexer works." },
  e1: says(answer("hello")),
  l: { type: "label", targetId: "q1", label: "lexer" },
});

const ALL: BranchListQuery = { sort: "recent", filter: "all", words: "" };
const never = () => false;

function stateOf(list: BranchList, changes: Partial<BranchListQuery & BranchListState> = {}): BranchListState {
  const whole = { ...ALL, ...changes };
  const numbers = list.numbers(whole);
  return {
    row: (index) => list.row(numbers[index] as number),
    count: numbers.length,
    total: list.total,
    selected: 1,
    top: 0,
    ...whole,
  };
}

function drawn(options: LayoutOptions, changes: Partial<BranchListQuery & BranchListState> = {}): string {
  const list = new BranchList(sourceOf(DRAWN));
  list.advance(never, [1, 2, 3, 4]);
  const state = stateOf(list, changes);
  const at = Date.UTC(2025, 0, 1, 3);
  return screen(layoutBranches(state, { ...options, now: at }).lines, options);
}

describe("the list of branches", () => {
  test("counts files that commands changed, by their records, and each file once", () => {
    const after = { hash: "a".repeat(64), mode: "644", size: 1 };
    const changed = (...paths: readonly string[]) => ({
      type: "custom" as const,
      customType: "bough.files",
      data: { v: 1, by: "tool", tool: "bash", changes: paths.map((path) => ({ path, before: null, after })) },
    });
    const list = new BranchList(
      sourceOf(
        tree("p-c-r-f-d-s-g*", {
          p: says(user("generate the code")),
          c: says(answer({ type: "toolCall", id: "1", name: "bash", arguments: { command: "make" } })),
          r: result("1"),
          f: changed("src/a.ts", "src/b.ts"),
          d: says(answer(edit("2", "/home/dev/project/src/a.ts"), edit("3", "notes/a.ts"))),
          s: result("2"),
          g: changed("src/a.ts"),
        }),
      ),
    );
    list.advance(never, [1]);
    expect(list.row(1).files).toBe(3);
  });

  test("has a row for each: name, origin, turns, files, end and what became of it", () => {
    const list = new BranchList(sourceOf(DRAWN));
    expect(list.row(2)).toMatchObject({ files: undefined, merged: false });
    expect(list.advance(never, [1, 2, 3, 4])).toBe("done");
    expect([1, 2, 3, 4].map((number) => list.row(number))).toMatchObject([
      {
        name: "wire the tokenizer into the CLI",
        label: undefined,
        tipId: "s",
        from: null,
        turns: 3,
        files: 1,
        failed: false,
        merged: false,
        here: true,
      },
      {
        name: "lexer",
        label: "lexer",
        tipId: "b1",
        from: "wire the tokenizer into the CLI",
        turns: 1,
        files: 2,
        failed: false,
        merged: true,
        here: false,
      },
      { tipId: "x2", from: "keep the generated one, add tests", turns: 1, files: 1, failed: true, merged: false },
      { name: "(starts with a reply)", tipId: "e1", from: null, turns: 0, files: 0, failed: false },
    ]);
  });

  test("is sorted by last use, age or size", () => {
    const list = new BranchList(sourceOf(DRAWN));
    expect(list.numbers(ALL)).toEqual([4, 1, 3, 2]);
    expect(list.numbers({ ...ALL, sort: "age" })).toEqual([1, 2, 3, 4]);
    expect(list.numbers({ ...ALL, sort: "size" })).toEqual([1, 2, 3, 4]);
    expect(BRANCH_SORTS.map((sort) => nextOf(BRANCH_SORTS, sort))).toEqual(["age", "size", "recent"]);
  });

  test("is filtered by words, numbers and kinds", () => {
    const source = sourceOf(DRAWN);
    const list = new BranchList(source, { mine: (n) => n >= source.tree.ids.findText("x1") });
    list.advance(never);
    expect(list.numbers({ ...ALL, words: "ERROR rewrite" })).toEqual([3]);
    expect(list.numbers({ ...ALL, words: "#2" })).toEqual([2]);
    expect(list.numbers({ ...ALL, words: "lexr" })).toEqual([]);
    expect(list.numbers({ ...ALL, filter: "failed" })).toEqual([3]);
    expect(list.numbers({ ...ALL, filter: "merged" })).toEqual([2]);
    expect(list.numbers({ ...ALL, filter: "labeled" })).toEqual([2]);
    expect(list.numbers({ ...ALL, filter: "mine" })).toEqual([4, 1, 3]);
    expect(list.filters).toContain("mine");
    expect(new BranchList(source).filters).not.toContain("mine");
    expect(nextOf(list.filters, "labeled")).toBe("all");
  });

  test("notices what is added: a new name, a longer branch, a file, and that something was asked after a merge", () => {
    const source = sourceOf(DRAWN);
    const list = new BranchList(source);
    list.advance(never, [2]);
    expect(list.row(2)).toMatchObject({ name: "lexer", turns: 1, files: 2, merged: true });
    const later = tree("b1-q2-c2; q1-k", {
      q2: says(user("and now faster")),
      c2: says({ ...answer(edit("9", "src/fast.ts")), stopReason: "error" }),
      k: { type: "label", targetId: "q1", label: "table" },
    }).entries.filter(({ id }) => id !== "b1" && id !== "q1");
    source.add(...later);
    list.advance(never, [2]);
    expect(list.row(2)).toMatchObject({ name: "table", turns: 2, files: 3, merged: false, failed: true, tipId: "c2" });
  });

  test("reads only what is shown, however many branches there are", () => {
    const many = Array.from({ length: 5000 }, (_, n) => `r-b${n}`).join(";");
    const source = sourceOf(tree(`r-first; ${many}`));
    const list = new BranchList(source);
    const numbers = list.numbers(ALL);
    expect(numbers).toHaveLength(5001);
    for (const number of numbers.slice(0, 20)) list.row(number);
    expect(source.reads).toBeLessThan(200);
    // Names are read in slices; one far down is found only when they are all read.
    expect(list.numbers({ ...ALL, words: "b3000" })).toEqual([]);
    let slices = 1;
    for (let looks = 0; list.advance(() => ++looks % 100 === 0) === "more"; ) slices += 1;
    expect(slices).toBeGreaterThan(10);
    expect(list.numbers({ ...ALL, words: "b3000" })).toEqual([3002]);
  });

  test("counts files in slices, also where the branch grows meanwhile", () => {
    const contents = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`n${n}`, says(answer(edit(`${n}`, `file${n % 50}`)))]),
    );
    const chain = Array.from({ length: 300 }, (_, n) => `n${n}`).join("-");
    const { entries, leafId } = tree(chain, contents);
    const source = sourceOf({ entries: entries.slice(0, 200), leafId });
    const list = new BranchList(source);
    let looks = 0;
    expect(list.advance(() => ++looks > 20, [1])).toBe("more");
    expect(list.row(1).files).toBeUndefined();
    source.add(...entries.slice(200));
    while (list.advance(() => ++looks % 20 === 0, [1]) === "more");
    expect(list.row(1).files).toBe(50);
  });
});

describe("the drawn list of branches", () => {
  test("at 80 columns", () => {
    expect(drawn(optionsAt(80))).toMatchInlineSnapshot(`
      "
       Branches · 4                                   sort: recent   f filter   ? keys
          #   name                         from                 turns  files    last
          4   (starts with a reply)        start                    0      0      2h
       ❯@ 1   wire the tokenizer into the… start                    3      1      2h
          3   重写错误类型 rewrite the er… "keep the genera…"       1      1    ✕ 2h
          2   lexer                        "wire the tokeni…"       1      2      2h ◆
       Enter go to its end   m name   t in tree
      "
    `);
  });

  test("at 120 columns, on the branch you are on", () => {
    expect(drawn(optionsAt(120), { sort: "age", selected: 0 })).toMatchInlineSnapshot(`
      "
       Branches · 4                                                                              sort: age   f filter   ? keys
          #   name                                                 from                                 turns  files    last
       ❯@ 1   wire the tokenizer into the CLI                      start                                    3      1      2h
          2   lexer                                                "wire the tokenizer into the CLI"        1      2      2h ◆
          3   重写错误类型 rewrite the error type                  "keep the generated one, add tes…"       1      1    ✕ 2h
          4   (starts with a reply)                                start                                    0      0      2h
       Enter go to its end   m name   t in tree
      "
    `);
  });

  test("at 40 columns", () => {
    expect(drawn(optionsAt(40))).toMatchInlineSnapshot(`
      "
       Branches · 4               sort: recent
          4   (starts with a reply)       2h
       ❯@ 1   wire the tokenizer i…       2h
          3   重写错误类型 rewrite…     ✕ 2h
          2   lexer                       2h ◆
       Enter go to its end  m name  ? keys
      "
    `);
  });

  test("in ASCII, filtered", () => {
    expect(drawn(asciiAt(80), { words: "lex", selected: 0 })).toMatchInlineSnapshot(`
      "
       Branches - 1 of 4  /lex                        sort: recent   f filter   ? keys
          #   name                         from                 turns  files    last
       >  2   lexer                        "wire the toke..."       1      2      2h #
       Enter go to its end   d compare with @   M merge here   m name   t in tree
      "
    `);
  });

  test("says so where nothing matches, and where there is only one", () => {
    expect(drawn(optionsAt(80), { words: "lexr" })).toContain('No branch matches "lexr". Esc clears the search.');
    const one = new BranchList(sourceOf(tree("a-b*")));
    const options = optionsAt(80);
    expect(screen(layoutBranches(stateOf(one, { selected: 0 }), options).lines, options)).toMatchInlineSnapshot(`
      "
       Branches · 1                                   sort: recent   f filter   ? keys
          #   name                         from                 turns  files    last
       ❯@ 1   a                            start                    2            21w
       Only one branch so far; you are on it.
       Enter go to its end   m name   t in tree
      "
    `);
    const none = new BranchList(sourceOf(tree("a", { a: { type: "custom", customType: "x" } })));
    expect(screen(layoutBranches(stateOf(none), options).lines, options)).toContain("Nothing here yet.");
  });

  test("is never wider or higher than asked", () => {
    const words = fc.array(fc.constantFrom("a", " ", "界", "👩‍👩‍👧", "\u001b[1m", "x".repeat(30)), { maxLength: 12 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 9 }), (parts, width, height) => {
        const text = parts.join("");
        const list = new BranchList(sourceOf(tree("a-b; a-c*", { a: says(user(text)), c: says(user(text)) })));
        const options = eitherAt(width, height);
        screen(layoutBranches(stateOf(list, { selected: 0 }), options).lines, options);
      }),
    );
  });
});
