import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/support/code-points.js";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { rawFields, withField, withParent } from "./raw-fields.js";

/** Key, pair and value of every field, cut from the text by their spans. */
function cut(text: string): unknown {
  return rawFields(text)?.map((field) => [
    field.key,
    text.slice(field.start, field.end),
    text.slice(field.valueStart, field.valueEnd),
  ]);
}

describe("rawFields", () => {
  it("finds every kind of value with its exact bytes", () => {
    expect(cut('{"a":"x","b":-1.50e-05,"c":12345678901234567890,"d":null,"e":[1,{"f":2}],"g":{}}')).toEqual([
      ["a", '"a":"x"', '"x"'],
      ["b", '"b":-1.50e-05', "-1.50e-05"],
      ["c", '"c":12345678901234567890', "12345678901234567890"],
      ["d", '"d":null', "null"],
      ["e", '"e":[1,{"f":2}]', '[1,{"f":2}]'],
      ["g", '"g":{}', "{}"],
    ]);
  });

  it("is not misled by brackets, commas, quotes and backslashes inside strings", () => {
    expect(cut(String.raw`{"a":"},{\"b\":1","c\\":"\\","d":["]","\"}"]}`)).toEqual([
      ["a", String.raw`"a":"},{\"b\":1"`, String.raw`"},{\"b\":1"`],
      ["c\\", String.raw`"c\\":"\\"`, String.raw`"\\"`],
      ["d", String.raw`"d":["]","\"}"]`, String.raw`["]","\"}"]`],
    ]);
  });

  it("resolves escapes in keys and keeps duplicates", () => {
    expect(cut(String.raw`{"\u0069d":"1","id":"2","__proto__":{"x":1}}`)).toEqual([
      ["id", String.raw`"\u0069d":"1"`, '"1"'],
      ["id", '"id":"2"', '"2"'],
      ["__proto__", '"__proto__":{"x":1}', '{"x":1}'],
    ]);
  });

  it("accepts blanks anywhere, a byte order mark before and a carriage return behind", () => {
    expect(cut('\uFEFF { "a" :\t1 ,\n"b": [ ] }\r')).toEqual([
      ["a", '"a" :\t1', "1"],
      ["b", '"b": [ ]', "[ ]"],
    ]);
    expect(rawFields(" {} ")).toEqual([]);
  });

  it.each([
    "",
    "   ",
    "null",
    "[1]",
    '"text"',
    "{",
    '{"a"',
    '{"a":',
    '{"a":}',
    '{"a":1',
    '{"a":1,}',
    '{"a":1 "b":2}',
    "{a:1}",
    '{"a":"open}',
    '{"a":[1}',
    '{"a":[}]}',
    '{"a":1}}',
    '{"a":1}{"b":2}',
    String.raw`{"\x":1}`,
  ])("says of %j that it is not one object", (text) => {
    expect(rawFields(text)).toBeUndefined();
  });

  it("agrees with JSON.parse on any object", () => {
    const object = fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue());
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1, "\t", " \r\n"), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const read = (rawFields(text) ?? []).map((field) => [
          field.key,
          JSON.parse(text.slice(field.valueStart, field.valueEnd)),
        ]);
        expect(read).toEqual(Object.entries(JSON.parse(text)));
      }),
      { numRuns: sampledRuns({ all: 300, some: 30 }) },
    );
  });

  it("walks through a nesting of 100,000 without a deep stack", () => {
    const deep = `${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`;
    expect(cut(`{"x":${deep},"y":1}`)).toEqual([
      ["x", `"x":${deep}`, deep],
      ["y", '"y":1', "1"],
    ]);
  });
});

describe("withParent", () => {
  it("replaces the parent and no other byte", () => {
    const line = '{ "x": 1e-05, "parentId" : "old" , "id":"\\u0061", "y": "caf\\u00e9" }\r';
    expect(withParent(line, "new")).toBe(line.replace('"old"', '"new"'));
    expect(withParent(line, null)).toBe(line.replace('"old"', "null"));
  });

  it("adds a missing parent behind the id", () => {
    expect(withParent('{"type":"custom","id":"a","x":1}', null)).toBe(
      '{"type":"custom","id":"a","parentId":null,"x":1}',
    );
    expect(withParent('{"type":"custom","x":1}', "p")).toBe('{"type":"custom","x":1,"parentId":"p"}');
  });

  it("writes ids with quotes and backslashes as JSON", () => {
    expect(withParent('{"id":"a","parentId":null}', 'q"\\')).toBe(String.raw`{"id":"a","parentId":"q\"\\"}`);
  });

  it("leaves a parentId inside the message alone", () => {
    expect(withParent('{"message":{"parentId":"m"},"id":"a","parentId":"p"}', "n")).toBe(
      '{"message":{"parentId":"m"},"id":"a","parentId":"n"}',
    );
  });
});

describe("withField", () => {
  it("replaces in place, every occurrence of a repeated key", () => {
    expect(withField('{"a":1, "b" : [1,2] ,"a":3}', "a", '{"z":0}')).toBe('{"a":{"z":0}, "b" : [1,2] ,"a":{"z":0}}');
  });

  it("adds a field that is missing at the end", () => {
    expect(withField('{"a":1 }', 'b"', "2")).toBe('{"a":1,"b\\"":2 }');
    expect(withField("\uFEFF{}", "a", "1")).toBe('\uFEFF{"a":1}');
  });

  it("does not take dollar signs in a value for patterns", () => {
    expect(withField('{"a":1}', "a", '"$&$1"')).toBe('{"a":"$&$1"}');
  });

  it("calls a line that is no object a bug", () => {
    expect(() => withField("[1]", "a", "1")).toThrow("bug: a field was set on a line that is not an object: [1]");
  });
});
