import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { branchPlace, isAt } from "./branch-end.js";
import { branchTitle } from "./branch-title.js";
import { listBranches } from "./list-branches.js";
import { markHidden, markMove, markStart } from "./markers.js";
import { MAIN, readSessionId, sessionIdOf } from "./session-id.js";

function say(session: SessionManager, text: string): EntryId {
  return session.appendMessage({ role: "user", content: text, timestamp: 0 });
}

/** The texts on the path to the end of a branch. */
function words(session: SessionManager, key: string): string[] | undefined {
  const source = session.getSource();
  const place = branchPlace(source, key);
  if (place === undefined) return undefined;
  if (place.end < 0) return [];
  return session
    .getBranch(source.tree.ids.textOf(place.end) as EntryId)
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "user" ? [String(entry.message.content)] : [],
    );
}

function keys(session: SessionManager): string[] {
  return listBranches(session.getSource()).map(({ key }) => key);
}

test("two branches that start at the same last entry are distinguished, whichever grows first", () => {
  const session = SessionManager.inMemory("/work");
  const last = say(session, "a");
  const fork = markStart(session);
  expect([words(session, MAIN), words(session, fork)]).toEqual([["a"], ["a"]]);
  say(session, "in the fork");
  session.branch(last);
  say(session, "in the first");
  expect([words(session, MAIN), words(session, fork)]).toEqual([
    ["a", "in the first"],
    ["a", "in the fork"],
  ]);
  expect(keys(session)).toEqual([MAIN, fork]);
});

test("a branch that moved continues where the log says, and the rest is a separate branch", () => {
  const session = SessionManager.inMemory("/work");
  const first = say(session, "a");
  const left = say(session, "b");
  say(session, "c");
  session.branch(first);
  expect(isAt(session.getSource(), branchPlace(session.getSource(), MAIN) as never)).toBe(false);
  markMove(session, MAIN);
  expect(words(session, MAIN)).toEqual(["a"]);
  expect(isAt(session.getSource(), branchPlace(session.getSource(), MAIN) as never)).toBe(true);
  say(session, "d");
  expect(words(session, MAIN)).toEqual(["a", "d"]);
  expect(keys(session)).toEqual([MAIN, left]);
  expect(words(session, left)).toEqual(["a", "b", "c"]);
});

test("branches made elsewhere are listed by their first entry, and keep that name when they grow and fork again", () => {
  const session = SessionManager.inMemory("/work");
  const first = say(session, "a");
  say(session, "b");
  session.branch(first);
  const other = say(session, "c");
  expect(keys(session)).toEqual([MAIN, other]);
  const grown = say(session, "d");
  say(session, "e");
  session.branch(grown);
  const third = say(session, "f");
  expect(keys(session)).toEqual([MAIN, other, third]);
  expect([words(session, MAIN), words(session, other), words(session, third)]).toEqual([
    ["a", "b"],
    ["a", "c", "d", "e"],
    ["a", "c", "d", "f"],
  ]);
});

test("a model that was chosen after the last message is part of the branch", () => {
  const session = SessionManager.inMemory("/work");
  say(session, "a");
  const model = session.appendModelChange("example", "small");
  const source = session.getSource();
  expect(source.tree.ids.textOf(branchPlace(source, MAIN)?.leaf ?? -1)).toBe(model);
});

test("a branch that was taken off the list is found by its id", () => {
  const session = SessionManager.inMemory("/work");
  say(session, "a");
  const fork = markStart(session);
  say(session, "b");
  markHidden(session, fork, "hidden");
  expect(keys(session)).toEqual([MAIN]);
  expect(words(session, fork)).toEqual(["a", "b"]);
  markHidden(session, fork, "shown");
  expect(keys(session)).toEqual([MAIN, fork]);
});

test("random growth, moves and forks: every branch ends where it was last, also after the file is read again", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const folder = tempFolder();
    const session = SessionManager.create("/work", folder);
    say(session, "start");
    /** The position of each branch, according to its agent. */
    const at = new Map<string, EntryId>([[MAIN, session.getLeafId() as EntryId]]);
    let state = seed;
    const next = (limit: number) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state % limit;
    };
    for (let step = 0; step < 30; step++) {
      const key = [...at.keys()][next(at.size)] as string;
      session.branch(at.get(key) as EntryId);
      const action = next(4);
      if (action === 0) {
        at.set(markStart(session), session.getLeafId() as EntryId);
        continue;
      }
      if (action === 1) {
        const path = session.getBranchIds();
        session.branch(path[next(path.length)] as EntryId);
      }
      const source = session.getSource();
      const place = branchPlace(source, key);
      if (place === undefined || !isAt(source, place)) markMove(session, key);
      say(session, `${key} ${step}`);
      at.set(key, session.getLeafId() as EntryId);
    }
    const file = session.getSessionFile() as string;
    session.close();
    const again = SessionManager.open(file, folder, { readOnly: true });
    const source = again.getSource();
    for (const [key, leaf] of at) {
      expect(source.tree.ids.textOf(branchPlace(source, key)?.leaf ?? -1), `seed ${seed}, branch ${key}`).toBe(leaf);
    }
    expect(new Set(keys(again))).toEqual(new Set([...keys(again), ...at.keys()]));
    again.close();
  }
});

test("titles contain the session and the start of the branch", () => {
  const session = SessionManager.inMemory("/work");
  const first = say(session, "Build a CLI");
  say(session, "by hand");
  session.branch(first);
  say(session, "with a library");
  session.branch(first);
  markStart(session);
  const source = session.getSource();
  expect(listBranches(source).map((branch) => branchTitle(source, branch))).toEqual([
    "Build a CLI",
    "Build a CLI › fork",
    "Build a CLI › with a library",
  ]);
});

test("an id names a branch of a session, and ids of others are read as they are", () => {
  expect(sessionIdOf("s", MAIN)).toBe("s");
  expect(readSessionId("s~e")).toEqual([
    { session: "s", key: "e" },
    { session: "s~e", key: MAIN },
  ]);
  expect(readSessionId("../../etc/passwd")).toEqual([{ session: "../../etc/passwd", key: MAIN }]);
  expect(readSessionId("~x")).toEqual([{ session: "~x", key: MAIN }]);
});
