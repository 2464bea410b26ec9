import { safeJson } from "@bough/program/cli/safe-json.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { undefinedKeys, watchJson } from "./support/undefined-keys.js";

test("names every field and item that is undefined, however deep", () => {
  expect(undefinedKeys({ a: undefined, b: [{ c: 1, d: undefined }, undefined], e: null, f: new Date(0) })).toEqual([
    ".a",
    ".b[0].d",
    ".b[1]",
  ]);
});

test("sees what is written as JSON and as a line of a session", () => {
  const json = watchJson();
  safeJson({ type: "hit", label: undefined });
  const session = SessionManager.inMemory();
  session.appendCustomEntry("note", { color: undefined });
  expect(json.undefinedKeys()).toEqual([
    '.label in {"type":"hit"}',
    expect.stringMatching(/^\.data\.color in \{"type":"custom"/),
  ]);
});

test("no optional argument of a session leaves a key without a value", () => {
  const json = watchJson();
  const session = SessionManager.inMemory();
  const first = session.appendCustomEntry("note");
  session.appendCustomMessageEntry("note", "hello", true);
  session.appendModeChange("plan");
  session.appendLabelChange(first, "start");
  session.appendLabelChange(first);
  session.appendLabelChange(first, "");
  session.appendCompaction("A summary", first, 10);
  session.branchWithSummary(first, "Another summary");
  session.branch(first);
  session.recordPosition();
  expect(json.undefinedKeys()).toEqual([]);
});
