import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { PathWindow } from "./path-window.js";

function sessionOf(texts: readonly string[]): SessionManager {
  const session = SessionManager.inMemory("/somewhere");
  for (const text of texts) say(session, text);
  return session;
}

function say(session: SessionManager, text: string): string {
  return session.appendMessage({ role: "user", content: text, timestamp: 0 });
}

describe("the path as places", () => {
  test("an empty session has no entry at any place, and the first one to come is a move", () => {
    const session = sessionOf([]);
    const path = new PathWindow(session.getSource());
    expect([path.entryAt(0), path.entryAt(-1), path.entryAt(1), path.first()]).toEqual([-1, -1, -1, 0]);
    say(session, "a");
    expect([path.refresh(), path.entryAt(0), path.refresh()]).toEqual(["moved", 0, "same"]);
  });

  test("entries above are read on demand, and do not change when the path grows", () => {
    const session = sessionOf(["a", "b", "c"]);
    const path = new PathWindow(session.getSource());
    expect([path.entryAt(0), path.entryAt(-1), path.entryAt(-2), path.entryAt(-3)]).toEqual([2, 1, 0, -1]);
    say(session, "d");
    say(session, "e");
    expect(path.refresh()).toBe("grown");
    expect([path.last, path.entryAt(2), path.entryAt(1), path.entryAt(0), path.first()]).toEqual([2, 4, 3, 2, -2]);
  });

  test("a leaf that is not below the old one is a move", () => {
    const session = sessionOf(["a", "b", "c"]);
    const path = new PathWindow(session.getSource());
    session.branch(session.getBranchIds()[0] as string);
    expect([path.refresh(), path.entryAt(0), path.entryAt(-1)]).toEqual(["moved", 0, -1]);
    say(session, "other");
    expect([path.refresh(), path.entryAt(1), path.placeOf(2)]).toEqual(["grown", 3, undefined]);
  });

  test("finds the position of an entry far above without reading an entry", () => {
    const session = sessionOf(Array.from({ length: 3000 }, (_, i) => `m${i}`));
    const source = session.getSource();
    const path = new PathWindow({
      get tree() {
        return source.tree;
      },
      get leaf() {
        return source.leaf;
      },
      name: undefined,
      entryAt: () => {
        throw new Error("read an entry");
      },
      labelOf: () => undefined,
    });
    expect([path.placeOf(0), path.placeOf(2999), path.first()]).toEqual([-2999, 0, -2999]);
  });
});
