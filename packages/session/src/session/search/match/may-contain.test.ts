/** The check on bytes must never exclude a source that holds a match. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../search.test-support.js";
import { createMatcher } from "./matcher.js";
import { createMayContain } from "./may-contain.js";
import { parseQuery } from "./query.js";

function fileOf(content: string | Buffer, name = "transcript.jsonl"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function mayContain(query: string, ...contents: readonly (string | Buffer)[]): Promise<boolean> {
  return createMayContain(query)({ files: contents.map((content) => fileOf(content)) });
}

describe("a look at the bytes of a source", () => {
  test("says no only if a word is nowhere in it", async () => {
    const line = JSON.stringify({ role: "user", content: "Fix the TOKENIZER, please" });
    expect([
      await mayContain("tokenizer", line),
      await mayContain("please fix", line),
      await mayContain("tokenizer parser", line),
      await mayContain('"fix the parser"', line),
    ]).toEqual([true, true, false, false]);
  });

  test("treats all files of a source together, with texts that are in none of them", async () => {
    const files = [fileOf('{"text":"one"}'), fileOf('{"text":"two"}')];
    const look = createMayContain("one two three");
    expect([await look({ files }), await look({ files, texts: ["Number Three"] })]).toEqual([false, true]);
  });

  test("is case-sensitive on request", async () => {
    const files = [fileOf('{"text":"Tokenizer"}')];
    const look = (word: string) => createMayContain(word, { caseSensitive: true })({ files });
    expect([await look("Tokenizer"), await look("tokenizer")]).toEqual([true, false]);
  });

  test("finds what an escape may hide, also in JSON inside JSON", async () => {
    const once = '{"text":"tok\\u0065nizer"}';
    expect([
      await mayContain("tokenizer", once),
      await mayContain("tokenizer", JSON.stringify({ arguments: once })),
      await mayContain("disk", '{"text":"diſK"}'),
      await mayContain("disk", '{"text":"di\\u017fk"}'),
    ]).toEqual([true, true, true, true]);
  });

  test("finds what spans two windows", async () => {
    for (const before of [(1 << 20) - 5, (1 << 20) - 1, (1 << 21) - 300]) {
      expect(await mayContain("tokenizer", `${"x".repeat(before)}tokenizer`)).toBe(true);
    }
  });

  test("a pattern counts by the text that every match contains", async () => {
    const line = '{"text":"the request timed out"}';
    expect([
      await mayContain("re:time(d )?out", line),
      await mayContain("re:parser.*", line),
      await mayContain("re:(parser|lexer)", line),
    ]).toEqual([true, false, true]);
  });

  test("compressed files, databases and files that cannot be read may hold anything", async () => {
    const absent = join(temporaryFolder(), "absent.jsonl");
    expect([
      await mayContain("word", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0])),
      await mayContain("word", Buffer.from([0x1f, 0x8b, 8, 0])),
      await mayContain("word", "SQLite format 3\0..."),
      await createMayContain("word")({ files: [absent] }),
    ]).toEqual([true, true, true, true]);
  });

  test("what has no letters or digits of ASCII is never ruled out", async () => {
    expect([await mayContain("日本", "{}"), await mayContain("->", "{}")]).toEqual([true, true]);
  });

  test("stops if aborted", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(createMayContain("word")({ files: [fileOf("{}")], signal: stopped })).rejects.toThrow("stopped");
  });

  const letters = fc.constantFrom(...'abkKsSuU01-./\\"\n é日\u212a\u017f');
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 6 });

  test("whatever matches the text is not ruled out, however often the text was put into JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), word, fc.nat(2), async (texts, query, depth) => {
        fc.pre(query.trim() !== "" && !query.includes('"'));
        const text = texts.join("");
        let json: unknown = text;
        for (let i = 0; i <= depth; i++) json = JSON.stringify({ value: json });
        if (createMatcher(parseQuery(query, {}))(text, 100) === undefined) return;
        expect(await createMayContain(query)({ files: [fileOf(json as string)] })).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
