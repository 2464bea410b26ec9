import { CHANGED_FILES_TYPE } from "@bough/session/entry/index.js";
import { expect, test } from "vitest";
import { answer, drawSession, result, says } from "../operation-parts.test-support.js";
import { sessionStats } from "../stats.js";
import { compareBranches } from "./compare.js";

const COST = { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total: 0.3 };

function session() {
  return drawSession("A-b-C-d-r-e-F*; b-G-h-q", {
    d: says(
      answer("trying", {
        calls: [
          { id: "1", name: "edit", path: "a.ts" },
          { id: "2", name: "write", path: "b.ts" },
        ],
        usage: { input: 100, output: 10, cacheRead: 5, cacheWrite: 1, cost: COST },
      }),
    ),
    r: says(result("1")),
    h: says(
      answer("", {
        calls: [{ id: "3", name: "edit", path: "b.ts" }],
        usage: { input: 7, output: 3, cacheRead: 0, cacheWrite: 0 },
      }),
    ),
    q: says(result("3", "no such file", true)),
  });
}

test("compare shows where two branches split, what each did, and how each ended", () => {
  const compared = compareBranches(session(), { a: "F", b: "q" });
  expect(compared).toMatchObject({
    sharedId: "b",
    changed: { onlyA: ["a.ts", "b.ts"], both: [], onlyB: [] },
    a: {
      tipId: "F",
      steps: [
        { entryId: "C", prompt: "C", toolCalls: 2, errors: 0, answer: "e" },
        { entryId: "F", prompt: "F", toolCalls: 0, errors: 0, answer: "" },
      ],
      files: { readFiles: [], modifiedFiles: ["a.ts", "b.ts"] },
      end: { kind: "prompt", text: "F" },
    },
    b: {
      tipId: "q",
      steps: [{ entryId: "G", prompt: "G", toolCalls: 1, errors: 1, answer: "" }],
      files: { readFiles: [], modifiedFiles: [] },
      end: { kind: "tool", text: "no such file" },
    },
  });
  expect(compared.a).not.toHaveProperty("label");
  expect(compared.a.totals).toEqual({
    entries: 5,
    userMessages: 2,
    answers: 2,
    toolCalls: 2,
    errors: 0,
    compactions: 0,
    usage: { input: 100, output: 10, cacheRead: 5, cacheWrite: 1, tokens: 116, dollars: 0.3, unpriced: 0 },
  });
  expect(compared.b.totals.usage).toMatchObject({ tokens: 10, dollars: 0, unpriced: 1 });
});

test("a branch that ends in a shell command ends with that command, not with its output", () => {
  const ran = drawSession("A-b; A-s", {
    s: says({
      role: "bashExecution",
      command: "git status --short",
      output: "M a.ts",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 0,
    }),
  });
  expect(compareBranches(ran, { a: "b", b: "s" }).b.end).toEqual({ kind: "tool", text: "!git status --short" });
});

test("what Bough told the model below a prompt is part of that turn", () => {
  const told = drawSession("A-b; A-C-n-d", {
    n: (session) => void session.appendCustomMessageEntry(CHANGED_FILES_TYPE, "These files changed: a.ts", false),
  });
  const { steps } = compareBranches(told, { a: "b", b: "d" }).b;
  expect(steps).toEqual([{ entryId: "C", prompt: "C", toolCalls: 0, errors: 0, answer: "d" }]);
});

test("a file both changed is named as such", () => {
  const both = drawSession("A-b; A-c", {
    b: says(answer("", { calls: [{ id: "1", name: "edit", path: "x.ts" }] })),
    c: says(answer("", { calls: [{ id: "2", name: "write", path: "x.ts" }] })),
  });
  expect(compareBranches(both, { a: "b", b: "c" }).changed).toEqual({ onlyA: [], both: ["x.ts"], onlyB: [] });
});

test("an ancestor has no entries of its own, and branches without a shared root are compared completely", () => {
  const compared = compareBranches(session(), { a: "b", b: "C" });
  expect([compared.sharedId, compared.a.steps, compared.a.end]).toEqual(["b", [], { kind: "empty", text: "" }]);
  const apart = compareBranches(drawSession("A-b; C-d"), { a: "b", b: "d" });
  expect([apart.sharedId, apart.a.end.text, apart.b.end.text]).toEqual([null, "b", "d"]);
});

test("a failed answer ends as failed; an entry that does not exist is refused", () => {
  const failed = drawSession("A-b", { b: says(answer("half", { stopReason: "error" })) });
  expect(compareBranches(failed, { a: "b", b: "A" }).a).toMatchObject({
    end: { kind: "failed", text: "half" },
    totals: { errors: 1 },
  });
  expect(() => compareBranches(failed, { a: "b", b: "zz" })).toThrow("Entry zz not found");
});

test("stats count this path and the whole session, spent tokens included; unknown prices stay unknown", () => {
  const on = session();
  on.appendUsage({
    kind: "branch_summary",
    provider: "acme",
    model: "m-1",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  });
  const stats = sessionStats(on);
  expect(stats).toMatchObject({ file: undefined, name: undefined, branches: 2 });
  expect(stats.path).toMatchObject({ entries: 8, userMessages: 3, errors: 0, usage: { tokens: 118, unpriced: 1 } });
  expect(stats.session).toMatchObject({
    entries: 12,
    userMessages: 4,
    errors: 1,
    usage: { tokens: 128, dollars: 0.3, unpriced: 2 },
  });
});
