import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { closedJson, headOfJson } from "./json-head.js";

describe("the beginning of a JSON value", () => {
  it("is valid wherever the text is cut after its first comma", () => {
    const text = JSON.stringify({ id: 'a "b", \\', list: [{ c: "d,}" }, [1, 2, { e: null }]], last: "é\n" });
    const whole = JSON.parse(text) as Record<string, unknown>;
    for (let end = text.indexOf(`,"list"`) + 1; end < text.length; end++) {
      expect(JSON.parse(closedJson(text.slice(0, end)))).toMatchObject({ id: whole.id });
    }
  });

  it("is read from files that are larger than what a list reads", () => {
    const path = join(tempFolder(), "a.json");
    const messages = Array.from({ length: 3000 }, (_, at) => ({ at, text: "words ".repeat(100) }));
    writeFileSync(path, JSON.stringify({ info: { id: "x" }, messages }));
    const head = headOfJson(path) as { info: unknown; messages: { at: number }[] };
    expect(head.info).toEqual({ id: "x" });
    expect(head.messages.length).toBeGreaterThan(1000);
    expect(head.messages.length).toBeLessThan(3000);
    expect(head.messages[5]).toEqual(messages[5]);
  });

  it("is undefined without valid JSON", () => {
    const path = join(tempFolder(), "a.json");
    writeFileSync(path, '{"cut": "he');
    expect(headOfJson(path)).toBeUndefined();
  });
});
