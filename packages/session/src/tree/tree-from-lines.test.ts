import { expect, it } from "vitest";
import { treeFromLines } from "./tree-from-lines.js";

const line = (id: string, parentId: string | null, fields: object = {}) =>
  JSON.stringify({
    type: "message",
    id,
    parentId,
    timestamp: "2026-01-15T12:00:00.000Z",
    message: { role: "user", content: id, timestamp: 1 },
    ...fields,
  });
const header = JSON.stringify({
  type: "session",
  version: 3,
  id: "s",
  timestamp: "2026-01-15T12:00:00.000Z",
  cwd: "/w",
});

it("reads a text, lines, and lines with their newlines alike", () => {
  const lines = [header, line("a", null), line("b", "a"), line("c", "a")];
  for (const given of [lines.join("\n"), lines, lines.map((one) => `${one}\n`)]) {
    const { tree, leaf, unread } = treeFromLines(given);
    const parents = [0, 1, 2].map((n) => tree.parentOf(n));
    expect({ parents, leaf, unread }).toEqual({ parents: [-1, 0, 0], leaf: 2, unread: [] });
  }
});

it("has the position, the name and the labels of the session", () => {
  const { tree, leaf, name, labelOf } = treeFromLines([
    header,
    line("a", null),
    line("b", "a"),
    line("n", "b", { type: "session_info", name: "parser" }),
    line("l", "n", { type: "label", targetId: "a", label: "start" }),
    line("p", "a", { type: "custom", customType: "bough.position" }),
  ]);
  expect({ leaf: tree.ids.textOf(leaf), name, label: labelOf(0)?.label }).toEqual({
    leaf: "a",
    name: "parser",
    label: "start",
  });
});

it("says which lines it could not read, and shows what was below them", () => {
  const { tree, unread, entryAt } = treeFromLines([
    header,
    line("a", null),
    line("b", "a").slice(0, -5),
    "7",
    line("c", "b"),
  ]);
  expect(unread).toEqual([
    { line: 3, reason: "not-json" },
    { line: 4, reason: "not-an-object" },
  ]);
  expect([tree.count, tree.parentOf(1), entryAt(1).id]).toEqual([2, -1, "c"]);
});

it("reads a session of an older version, and nothing at all", () => {
  const old = [
    JSON.stringify({ type: "session", id: "s", timestamp: "2026-01-15T12:00:00.000Z", cwd: "/w" }),
    JSON.stringify({
      type: "message",
      timestamp: "2026-01-15T12:00:00.000Z",
      message: { role: "user", content: "one" },
    }),
    JSON.stringify({
      type: "message",
      timestamp: "2026-01-15T12:00:01.000Z",
      message: { role: "user", content: "two" },
    }),
  ];
  const { tree, leaf } = treeFromLines(old);
  expect([tree.count, tree.parentOf(1), leaf]).toEqual([2, 0, 1]);
  expect(treeFromLines("")).toMatchObject({ leaf: -1, name: undefined, unread: [] });
});
