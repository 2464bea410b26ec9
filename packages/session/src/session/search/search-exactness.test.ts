/**
 * The search on bytes must never miss anything in the parsed text: compared with a reference that parses every line.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { searchSessions } from "../search-sessions.js";
import { HEADER, idsOf, temporaryFolder } from "./search.test-support.js";
import { FileSearcher } from "./search-file.js";
import { planSearch } from "./search-plan.js";

/** Characters that are equal ignoring case, written out; every other character only equals itself. */
const SAME = ["aA", "bB", "kK\u212a", "sS\u017f", "uU", "éÉ", "ßẞ", "дД", "рР", "σΣς", "ⱥȺ", "𐐨𐐀"];
const OTHERS = ["1", "0", "-", ".", '"', "\\", "/", "\n", "\t", " ", "\u00a0", "\u0001", "\u007f", "\u2028", "\ufffd"];
const LETTERS = [...SAME.flatMap((same) => [...same]), "日", "本", "😀", "\ud83d", "\\u0061", "\\n"];
const FOLDED = new Map(SAME.flatMap((same) => [...same].map((letter) => [letter, [...same][0] as string] as const)));

function fold(text: string): string {
  return [...text].map((letter) => FOLDED.get(letter) ?? letter).join("");
}

/** A text as its characters, so that half of a surrogate pair is not found inside a pair. */
function characters(content: string): string {
  return [...content].map((character) => `<${character.codePointAt(0)}>`).join("");
}

const text = fc.string({ unit: fc.constantFrom(...LETTERS, ...LETTERS, ...OTHERS), maxLength: 14 });

/** A JSON string in which any character may be escaped in any way that JSON allows. */
function escaped(content: string, choices: Iterator<number>): string {
  let json = "";
  for (let i = 0; i < content.length; i++) {
    const unit = content.charCodeAt(i);
    const hex = unit.toString(16).padStart(4, "0");
    const plain = JSON.stringify(content[i]).slice(1, -1);
    const choice = choices.next().value as number;
    if (choice === 0) json += `\\u${hex}`;
    else if (choice === 1) json += `\\u${hex.toUpperCase()}`;
    else if (choice === 2 && content[i] === "/") json += "\\/";
    // A surrogate pair must not be torn: its halves are both raw or both escaped.
    else if (unit >= 0xd800 && unit <= 0xdfff) json += `\\u${hex}`;
    else json += plain;
  }
  return `"${json}"`;
}

function* cycle(values: readonly number[]): Generator<number, never, undefined> {
  for (let i = 0; ; i++) yield values[i % values.length] as number;
}

const session = fc.record({
  texts: fc.array(text, { minLength: 1, maxLength: 6 }),
  /** 0 and 1 escape, 2 is for slashes, the rest is plain; if undefined, JSON.stringify writes the line. */
  escapes: fc.option(fc.array(fc.nat(6), { minLength: 1, maxLength: 9 }), { nil: undefined }),
});

const wanted = fc.record({
  terms: fc.array(fc.record({ from: fc.nat(), start: fc.nat(), length: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
  shift: fc.nat(2),
  caseSensitive: fc.boolean(),
});

function fileOf({ texts, escapes }: { texts: readonly string[]; escapes: readonly number[] | undefined }): string {
  const choices = escapes === undefined ? undefined : cycle(escapes);
  const lines = texts.map((content, n) => {
    const written = choices === undefined ? JSON.stringify(content) : escaped(content, choices);
    const place = `"type":"message","id":"e${n}","parentId":${n === 0 ? "null" : `"e${n - 1}"`},"timestamp":"t"`;
    return `{${place},"message":{"role":"user","content":${written},"timestamp":1}}`;
  });
  return `${[HEADER, ...lines].join("\n")}\n`;
}

/** Pieces of the texts themselves, some with letters in another case. */
function termsOf(texts: readonly string[], { terms, shift }: { terms: readonly Piece[]; shift: number }): string[] {
  return terms.map(({ from, start, length }) => {
    const letters = [...(texts[from % texts.length] as string)];
    const piece = letters.slice(start % (letters.length + 1)).slice(0, length);
    const changed = piece.map((letter) => {
      const same = [...(SAME.find((one) => one.includes(letter)) ?? letter)];
      return same[(same.indexOf(letter) + shift) % same.length] ?? letter;
    });
    return changed.join("").replace(/\s+/g, " ").trim();
  });
}

interface Piece {
  readonly from: number;
  readonly start: number;
  readonly length: number;
}

test("the hits are those of a reference that parses every line, however it was written", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "s.jsonl");
  await fc.assert(
    fc.asyncProperty(session, wanted, async (made, query) => {
      const terms = termsOf(made.texts, query).filter((term) => term !== "");
      fc.pre(terms.length > 0);
      writeFileSync(path, fileOf(made));
      const same = query.caseSensitive ? (content: string) => content : fold;
      const expected = made.texts.flatMap((content, n) => {
        const spaced = same(content).replace(/\s+/g, " ");
        return terms.every((term) => characters(spaced).includes(characters(same(term)))) ? [`e${n}`] : [];
      });
      const quoted = terms.map((term) => `"${term.replaceAll('"', '\\"')}"`).join(" ");
      // A phrase cannot contain a backslash right before a quote: such pieces are searched as words.
      const search = terms.some((term) => /\\("|$)/.test(term)) ? terms.join(" ") : quoted;
      fc.pre(search === quoted || terms.every((term) => !/\s|^"|^re:/.test(term)));
      expect(await idsOf(searchSessions(search, { dir: folder, caseSensitive: query.caseSensitive }))).toEqual(
        expected,
      );
    }),
    { numRuns: sampledRuns({ all: 600, some: 75 }) },
  );
});

test("a pattern finds what it finds in the text of every line", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "s.jsonl");
  const pattern = fc.constantFrom(
    "a.b",
    "k+",
    "[sS]u?a",
    "(a|b)k",
    "日本?",
    "\\\\",
    "\\d",
    "é",
    "a\\/",
    "^ks",
    "s$",
    "б|д",
  );
  await fc.assert(
    fc.asyncProperty(session, pattern, fc.boolean(), async (made, source, caseSensitive) => {
      writeFileSync(path, fileOf(made));
      const reference = new RegExp(source, caseSensitive ? "u" : "iu");
      const expected = made.texts.flatMap((content, n) =>
        content.split("\n").some((line) => reference.test(line)) ? [`e${n}`] : [],
      );
      expect(await idsOf(searchSessions(`re:${source}`, { dir: folder, caseSensitive }))).toEqual(expected);
    }),
    { numRuns: sampledRuns({ all: 250, some: 30 }) },
  );
});

test("the size of the window changes nothing, also where lines are longer", () => {
  const path = join(temporaryFolder(), "s.jsonl");
  const window = 1 << 12;
  // The word is around the end of the first or the second window of its line.
  const padding = fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 60, max: 180 }));
  const word = fc.constantFrom("needles", "NEEDLE\u017f", "nEEdles");
  fc.assert(
    fc.property(fc.array(fc.tuple(padding, word), { minLength: 1, maxLength: 5 }), fc.boolean(), (parts, ended) => {
      const texts = parts.map(([[windows, less], content]) => `${"-".repeat(windows * window - less)}${content}`);
      const file = fileOf({ texts, escapes: undefined }).replaceAll("nEE", "\\u006eEE");
      writeFileSync(path, ended ? file : file.slice(0, -1));
      const plan = planSearch("Needles", { caseSensitive: false, maxExcerpt: 50 });
      const every = texts.map((_, n) => `e${n}`);
      for (const size of [window, 4 * window, 1 << 20]) {
        const searcher = new FileSearcher(plan, size);
        // From the third time on, the index is made while the file is read.
        for (let time = 1; time <= 3; time++) {
          const hits = [...searcher.search(path)].flatMap((step) => step.hits.map((hit) => hit.entryId));
          expect(hits, `${size}, ${time}`).toEqual(every);
        }
      }
    }),
    { numRuns: sampledRuns({ all: 150, some: 20 }) },
  );
});
