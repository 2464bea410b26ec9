import { describe, expect, it } from "vitest";
import { linearId } from "./linear-id.js";

describe("linearId", () => {
  it("is 12 hex digits: a share of the session, then the ordinal", () => {
    const ids = [1, 255, 1_000_000].map((ordinal) => linearId("ffae836b-9420-4060-ac13-7745215f90ff", ordinal));
    const share = ids[0]?.slice(0, 4);
    expect(share).toMatch(/^[0-9a-f]{4}$/);
    expect(ids).toEqual([`${share}00000001`, `${share}000000ff`, `${share}000f4240`]);
  });

  it("is the same every time and another one in another session", () => {
    expect(linearId("one", 1)).toBe(linearId("one", 1));
    expect(linearId("one", 1)).not.toBe(linearId("two", 1));
  });
});
