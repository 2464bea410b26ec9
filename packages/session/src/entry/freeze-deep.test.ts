import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freezeDeep } from "./freeze-deep.js";

/** Every object and array in a value. */
function parts(value: unknown): object[] {
  const found: object[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== "object" || part === null) continue;
    found.push(part);
    for (const inner of Object.values(part)) pending.push(inner);
  }
  return found;
}

describe("freezing what was parsed", () => {
  it("leaves nothing in it that can be changed, and changes nothing", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        expect(freezeDeep(value)).toBe(value);
        expect(parts(value).every((part) => Object.isFrozen(part))).toBe(true);
        expect(value).toEqual(JSON.parse(text));
      }),
    );
  });

  it("takes nesting of any depth", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    expect(parts(freezeDeep(deep)).every((part) => Object.isFrozen(part))).toBe(true);
  });

  it("freezes a copy that shares frozen parts", () => {
    const original = freezeDeep({ role: "user", content: [{ type: "text", text: "a" }] });
    const copy = freezeDeep({ ...original, extra: { list: [1] } });
    expect(parts(copy).every((part) => Object.isFrozen(part))).toBe(true);
  });
});
