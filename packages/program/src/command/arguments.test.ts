import { describe, expect, test } from "vitest";
import { lastWordStart, quotedWord, readArguments, splitWords } from "./arguments.js";

describe("words after a command's name", () => {
  test.each([
    ["", []],
    ["  one   two ", ["one", "two"]],
    ['"good point" 3fa2', ["good point", "3fa2"]],
    ["'good point'", ["good point"]],
    ["don't stop", ["don't", "stop"]],
    ['say \\"hi\\"', ["say", '"hi"']],
    ["a\\ b", ["a b"]],
    ['"not closed', ["not closed"]],
    ['""', [""]],
    ["C:\\temp", ["C:\\temp"]],
  ])("%j is %j", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test.each(["plain", "two words", 'with "quotes"', "back\\slash", "--option", "don't"])(
    "%j can be quoted so that it is read as one word",
    (word) => {
      expect(readArguments(quotedWord(word))).toEqual({
        words: [word],
        options: new Set(),
        chosen: new Map(),
      });
    },
  );

  test("options may be anywhere; an unknown one is named", () => {
    const rules = { options: ["--move"] };
    expect(readArguments("good --move 3f", rules)).toEqual({
      words: ["good", "3f"],
      options: new Set(["--move"]),
      chosen: new Map(),
    });
    expect(() => readArguments("good --mvoe", rules)).toThrow(
      expect.objectContaining({
        code: "wrong-arguments",
        message: "Unknown option --mvoe.",
      }),
    );
  });

  test("an option with a value takes it after a blank or an equals sign, and names what it takes", () => {
    const rules = { choices: { "--scope": ["path", "all"] } };
    for (const text of ["a.html --scope all", "--scope=all a.html"]) {
      expect(readArguments(text, rules)).toMatchObject({ words: ["a.html"], chosen: new Map([["--scope", "all"]]) });
    }
    expect(() => readArguments("--scope some", rules)).toThrow("--scope needs one of: path, all.");
    expect(() => readArguments("--scope", rules)).toThrow("--scope needs one of: path, all.");
  });

  test("too few and too many are reported", () => {
    const rules = { least: 1, most: 2 };
    expect(() => readArguments("", rules)).toThrow(expect.objectContaining({ message: "Missing argument." }));
    expect(() => readArguments("1 2 3", rules)).toThrow(expect.objectContaining({ message: "Too many arguments." }));
    expect(() => readArguments("x", { most: 0 })).toThrow("Too many arguments.");
  });

  test.each([
    ["", 0],
    ["le", 0],
    ["one tw", 4],
    ["one ", 4],
    ['one "two th', 4],
    ["don't st", 6],
  ])("the word being typed in %j starts at %i", (text, start) => {
    expect(lastWordStart(text)).toBe(start);
  });
});
