import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import type { TreeSource } from "../../tree/index.js";
import { TreeModel } from "./tree-model.js";
import { SampleSession } from "./tree-sample.test-support.js";
import { TreeSearch } from "./tree-search.js";
import { TREE_FILTERS, type TreeFilter } from "./tree-state.js";

function matches(source: TreeSource, words: string, filter: TreeFilter): readonly number[] {
  const search = new TreeSearch(new TreeModel(source), words, { filter });
  search.advance(() => false);
  return search.matches;
}

/** The same session twice: with and without the check of lines before parsing. */
function both(session: SampleSession["session"], escaped: boolean): [TreeSource, TreeSource] {
  const source = session.getSource();
  const plain: TreeSource = {
    tree: source.tree,
    leaf: source.leaf,
    name: source.name,
    entryAt: source.entryAt,
    labelOf: source.labelOf,
  };
  const rawLineAt = (n: number) =>
    escaped ? JSON.stringify(source.entryAt(n)).replace(/[^ -~]/g, asEscape) : source.rawLineAt?.(n);
  return [{ ...plain, rawLineAt }, plain];
}

/** As written by programs whose JSON must be ASCII. */
function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

describe("looking at a line before it is parsed", () => {
  it("spares the parsing of entries that cannot match", () => {
    const sample = new SampleSession();
    for (let i = 0; i < 50; i++) sample.turn(`question ${i}`, { tools: 2 });
    const needle = sample.say("where is the Needle?");
    const source = sample.session.getSource();
    const read = new Set<number>();
    const counted: TreeSource = {
      tree: source.tree,
      leaf: source.leaf,
      name: undefined,
      entryAt: (n) => {
        read.add(n);
        return source.entryAt(n);
      },
      rawLineAt: (n) => source.rawLineAt?.(n),
      labelOf: () => undefined,
    };
    expect(matches(counted, "needle", "default").map((n) => source.tree.ids.textOf(n))).toEqual([needle]);
    expect([...read].map((n) => source.tree.ids.textOf(n))).toEqual([needle]);
  });

  it("finds a result by what its call asked for, and a row by the words that are not in the line", () => {
    const sample = new SampleSession();
    sample.say("");
    const [, result] = sample.tools(["read", { path: "src/deep/file.ts" }], ["bash", { command: "ls" }]);
    const [source, plain] = both(sample.session, false);
    const ids = (words: string) => matches(source, words, "default").map((n) => source.tree.ids.textOf(n));
    expect(ids("deep/file")).toEqual([result]);
    expect(ids("empty prompt")).toHaveLength(1);
    for (const words of ["deep", "output ls", "prompt"])
      expect(matches(source, words, "all")).toEqual(matches(plain, words, "all"));
  });

  it("finds the same as without it, whatever the texts hold", () => {
    const piece = fc.constantFrom(
      ...'abkKiIs \n\t\b\f\r"\\/é→\u212a\u0130\u017f\u001b\u007f\u0085\u200b\u202e\ufeff'.split(""),
      ...["\x1b[1m", "\x1b]0;x\x07", "file", "FILE", "u00", "images", "😀"],
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const words = fc
      .array(fc.constantFrom("a", "b", "k", "i", "s", "ab", "file", "ki", "é", "images", "u00", "\\"), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.join(""));
    const search = fc.record({ query: words, filter: fc.constantFrom(...TREE_FILTERS), escaped: fc.boolean() });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), search, (texts, { query, filter, escaped }) => {
        const sample = new SampleSession();
        for (const said of texts) {
          sample.say(said);
          sample.tools(["bash", { command: said }], ["edit", { path: `${said}k` }, "fails"]);
          sample.answer(said);
        }
        const [source, plain] = both(sample.session, escaped);
        expect(matches(source, query, filter)).toEqual(matches(plain, query, filter));
      }),
      { numRuns: sampledRuns({ all: 300, some: 75 }) },
    );
  });
});
