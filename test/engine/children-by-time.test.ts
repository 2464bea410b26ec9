/** Siblings are sorted by time, even if the file has them in another order. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inOneGo } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { treeColumns, treeFromColumns } from "@bough/workbench/web/data/tree-columns.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { HEADER_LINE, line } from "../support/session-lines.js";
import { fastFolder, tempFolder } from "../support/temp-folder.js";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

function open(folder: string, ...lines: readonly string[]): SessionManager {
  const file = join(folder, "session.jsonl");
  writeFileSync(file, HEADER_LINE + lines.join(""));
  return SessionManager.open(file, undefined, { readOnly: true });
}

describe("children", () => {
  it("are oldest first by timestamp; the same time leaves them in the order of the file", () => {
    const session = open(
      tempFolder(),
      line("a", null, { timestamp: at(0) }),
      line("late", "a", { timestamp: at(9) }),
      line("early", "a", { timestamp: at(1) }),
      line("tie", "a", { timestamp: at(9) }),
      line("other", null, { timestamp: at(-1) }),
    );
    expect(session.getChildIds("a")).toEqual(["early", "late", "tie"]);
    expect(session.getChildIds(null)).toEqual(["other", "a"]);
    expect(session.getTree().map(({ entry }) => entry.id)).toEqual(["other", "a"]);
    expect(session.getTree()[1]?.children.map(({ entry }) => entry.id)).toEqual(["early", "late", "tie"]);
    session.close();
  });

  it("one that is added to a file in order with an earlier time comes before the others", () => {
    const folder = tempFolder();
    const chain = ["a", "b", "c"].map((id, i) => line(id, i === 0 ? null : "a", { timestamp: at(i) }));
    const file = open(folder, ...chain).getSessionFile() as string;
    for (const [second, place] of [
      [5, 2],
      [1, 1],
      [-3, 0],
    ] as const) {
      writeFileSync(file, HEADER_LINE + chain.join(""));
      const session = SessionManager.open(file, undefined, { now: () => new Date(at(second)), newId: () => "new" });
      session.branch("a");
      session.appendMessage(user("and?"));
      expect(session.getChildIds("a").indexOf("new")).toBe(place);
      session.close();
    }
  });

  it("one without a time that can be read stays behind the sibling before it", () => {
    const session = open(
      tempFolder(),
      line("a", null, { timestamp: at(0) }),
      line("b", "a", { timestamp: at(5) }),
      line("odd", "a", { timestamp: "yesterday" }),
      line("c", "a", { timestamp: at(1) }),
    );
    expect(session.getChildIds("a")).toEqual(["c", "b", "odd"]);
    session.close();
  });

  it("are in order after an append too, also where the clock went back", () => {
    let second = 10;
    const options = { now: () => new Date(at(second)) };
    const session = SessionManager.create("/w", tempFolder(), options);
    const root = session.appendMessage(user("a"));
    second = 30;
    const first = session.appendMessage(user("b"));
    expect(session.getChildIds(root)).toEqual([first]);
    session.branch(root);
    second = 20;
    const older = session.appendMessage(user("c"));
    expect(session.getChildIds(root)).toEqual([older, first]);
    session.branch(root);
    second = 40;
    const youngest = session.appendMessage(user("d"));
    expect(session.getChildIds(root)).toEqual([older, first, youngest]);
    session.close();
  });

  it("branches keep their numbers, in the order they were written, and are listed by age", () => {
    const session = open(
      tempFolder(),
      line("a", null, { timestamp: at(0) }),
      line("w", "a", { timestamp: at(7) }),
      line("x", "a", { timestamp: at(9) }),
      line("y", "a", { timestamp: at(1) }),
      line("z", "a", { timestamp: at(5) }),
    );
    const { tree } = session.getSource();
    const branches = branchIndexOf(tree);
    const id = (n: number) => tree.ids.textOf(n);
    expect([1, 2, 3, 4].map((branch) => id(branches.tipOf(branch)))).toEqual(["w", "x", "y", "z"]);
    expect(branches.laterChildrenOf(0).map((branch) => id(branches.firstOf(branch)))).toEqual(["y", "z", "x"]);
    session.close();
  });

  it("entries with one child have no time read", () => {
    const session = open(fastFolder(), line("a", null), line("b", "a"), line("c", "b"));
    const { tree } = session.getSource();
    tree.times.readBy(() => {
      throw new Error("read");
    });
    expect(session.getTree()[0]?.children[0]?.children[0]?.entry.id).toBe("c");
    expect(branchIndexOf(tree).count).toBe(1);
    session.close();
  });

  it("any times give the same order in the session, grown entry by entry, and in a page", () => {
    const plan = fc.array(fc.record({ parent: fc.nat(), time: fc.nat(6), said: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(plan, (rows) => {
        let second = 0;
        const session = SessionManager.inMemory("/w", { now: () => new Date(at(second)) });
        const ids: (string | null)[] = [null];
        const times = new Map<string, number>();
        for (const { parent, time, said } of rows) {
          second = time;
          session.branch(ids[parent % ids.length] ?? null);
          const id = said ? session.appendMessage(user("x")) : session.appendModelChange("p", "m");
          ids.push(id);
          times.set(id, time);
          branchIndexOf(session.getSource().tree);
        }
        const { tree } = session.getSource();
        const page = treeFromColumns(inOneGo(treeColumns(tree)));
        for (const id of ids) {
          const children = session.getChildIds(id);
          const sorted = [...children].sort(
            (a, b) => (times.get(a) as number) - (times.get(b) as number) || ids.indexOf(a) - ids.indexOf(b),
          );
          expect(children).toEqual(sorted);
          const n = id === null ? -1 : tree.ids.findText(id);
          expect(page.firstChildOf(n)).toBe(tree.firstChildOf(n));
        }
        const [grown, fresh] = [branchIndexOf(tree), branchIndexOf(page)];
        for (let n = -1; n < tree.count; n++) {
          expect(grown.firstChildOf(n)).toBe(fresh.firstChildOf(n));
          expect(grown.laterChildrenOf(n)).toEqual(fresh.laterChildrenOf(n));
          expect(grown.branchOf(n)).toBe(fresh.branchOf(n));
        }
      }),
    );
  });
});
