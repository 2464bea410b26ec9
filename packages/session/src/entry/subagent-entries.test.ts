import { describe, expect, it } from "vitest";
import { SessionManager } from "../session/index.js";
import { branchIndexOf } from "../tree/index.js";
import { LeafTrail } from "./leaf-trail.js";

/** A call, a sub-agent below it that goes on writing, and what follows. */
function spawned(): { session: SessionManager; main: SessionManager; call: string; below: () => string } {
  const main = SessionManager.inMemory("/w");
  main.appendMessage({ role: "user", content: "go", timestamp: 1 });
  const call = main.appendMessage({ role: "user", content: "the call", timestamp: 2 });
  const session = main.openAgain({ position: "ignored" });
  session.branch(call);
  session.appendCustomEntry("bough.subagent", { agent: "bough" });
  session.saveEntry({ type: "reset_boundary" });
  const below = () => session.appendMessage({ role: "user", content: "below", timestamp: 3 });
  return { session, main, call, below };
}

/** The leaf that loading gives, by the index and by the trail. */
function loaded(session: SessionManager): readonly (string | null)[] {
  const lines = session.toLines();
  const again = SessionManager.fromLines(lines);
  const trail = new LeafTrail();
  for (const entry of again.getEntries()) trail.take(entry);
  return [again.getLeafId(), trail.leaf];
}

describe("entries of a sub-agent", () => {
  it("do not move the leaf of the session, also when it closes last", () => {
    const { session, main, call, below } = spawned();
    below();
    main.refresh();
    const result = main.appendMessage({ role: "user", content: "the result", timestamp: 4 });
    below();
    session.close();
    main.refresh();
    expect(loaded(main)).toEqual([result, result]);
    expect(main.getBranch().map(({ id }) => id)).toContain(call);
  });

  it("do if someone moved there", () => {
    const { main, below } = spawned();
    const end = below();
    main.refresh();
    main.branch(end);
    main.recordPosition();
    const next = main.appendMessage({ role: "user", content: "and now", timestamp: 5 });
    expect(loaded(main)).toEqual([next, next]);
  });

  it("are a branch of their own, even if they were written first", () => {
    const { main, below } = spawned();
    below();
    main.refresh();
    const result = main.appendMessage({ role: "user", content: "the result", timestamp: 4 });
    const { tree } = main.getSource();
    const index = branchIndexOf(tree);
    expect([index.count, index.branchOf(tree.ids.findText(result))]).toEqual([2, 1]);
  });
});
