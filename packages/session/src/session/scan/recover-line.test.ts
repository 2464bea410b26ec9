import { describe, expect, it } from "vitest";
import { HEADER, HEADER_LINE, line } from "../../../../../test/support/session-lines.js";
import { headerWithin, idAndParentIn, recordsWithin } from "./recover-line.js";

const a = line("a", null).trimEnd();
const b = line("b", "a").trimEnd();

function within(text: string): string[] {
  const bytes = Buffer.from(text);
  return recordsWithin(bytes).map(({ entry, start, end }) => {
    expect(JSON.parse(bytes.toString("utf8", start, end))).toEqual(entry);
    return `${entry.id}@${start}`;
  });
}

describe("whole records inside a damaged line", () => {
  it.each([
    ["joined", a + b, ["a@0", `b@${a.length}`]],
    ["joined with something between", `${a}?!${b}`, ["a@0", `b@${a.length + 2}`]],
    ["behind a stump", a.slice(0, 40) + b, ["b@40"]],
    ["before NULs", `${a}\0\0`, ["a@0"]],
    ["before a stump", a + b.slice(0, 40), ["a@0"]],
    ["between stumps", `${b.slice(0, 30)}${a}${b.slice(0, 50)}`, ["a@30"]],
    ["three of them", a + b + line("c", "b").trimEnd(), ["a@0", `b@${a.length}`, `c@${a.length + b.length}`]],
  ])("are found: %s", (_, text, expected) => {
    expect(within(text)).toEqual(expected);
  });

  it.each([
    ["one whole record", a],
    ["half a record", a.slice(0, 60)],
    ["nothing", ""],
    ["no record", "what?"],
    ["a header", HEADER_LINE.trimEnd()],
    ["an object that is no entry", '{"type":"x","id":"y","parentId":null}'],
  ])("are not found in %s", (_, text) => {
    expect(within(text)).toEqual([]);
  });

  it("are not the content of a message that talks about records", () => {
    const talk = line("a", null, { message: { role: "user", content: b, timestamp: 1 } }).trimEnd();
    const nested = line("a", null, { data: JSON.parse(b) as unknown }).trimEnd();
    expect([within(`${talk}?`), within(`${nested}?`)]).toEqual([["a@0"], ["a@0"]]);
  });

  it("are found among more content blocks than there are tries", () => {
    const content = Array.from({ length: 300 }, (_, i) => ({ type: "text", text: `${i}` }));
    const long = line("a", null, { message: { role: "user", content, timestamp: 1 } }).trimEnd();
    expect(within(`${long}?${b}`)).toEqual(["a@0", `b@${long.length + 1}`]);
  });
});

describe("a header inside a damaged line", () => {
  it.each([
    ["an entry behind it", `${HEADER_LINE.trimEnd()}?${a}`],
    ["a stump before it", `{"type":"mess${HEADER_LINE.trimEnd()}`],
    ["NULs behind it", `${HEADER_LINE.trimEnd()}\0\0`],
  ])("is found with %s", (_, text) => {
    expect(headerWithin(Buffer.from(text))).toEqual(HEADER);
  });

  it("is not half a header", () => {
    expect(headerWithin(Buffer.from(HEADER_LINE.slice(0, 60)))).toBeUndefined();
  });
});

describe("the place of a damaged line", () => {
  it.each([
    [b.slice(0, 60), { id: "b", parentId: "a" }],
    [a.slice(0, 50), { id: "a", parentId: null }],
    [b.slice(0, 30), undefined],
    ["what?", undefined],
    ["", undefined],
  ])("of %j is %j", (text, place) => {
    expect(idAndParentIn(Buffer.from(text))).toEqual(place);
  });
});
