import { describe, expect, it } from "vitest";
import type { SessionHeader } from "../entry.js";
import { needsUpgrade, sessionVersion } from "./session-version.js";

function header(version: unknown): SessionHeader {
  const base = { type: "session", id: "s", timestamp: "t", cwd: "/" };
  return (version === undefined ? base : { ...base, version }) as SessionHeader;
}

describe("sessionVersion", () => {
  it.each([
    [undefined, { kind: "old", version: 1 }],
    [1, { kind: "old", version: 1 }],
    [2, { kind: "old", version: 2 }],
    [3, { kind: "current" }],
    [4, { kind: "unknown", version: 4 }],
    [0, { kind: "unknown", version: 0 }],
    [2.5, { kind: "unknown", version: 2.5 }],
    ["2", { kind: "unknown", version: "2" }],
    [null, { kind: "unknown", version: null }],
  ])("reads version %j", (version, expected) => {
    expect(sessionVersion(header(version))).toEqual(expected);
    expect(needsUpgrade(header(version))).toBe(expected.kind === "old");
  });
});
