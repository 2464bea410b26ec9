import type { SessionManager } from "@bough/session/session/index.js";
import { branchCause } from "@bough/session/tree/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { tree } from "../support/tree-notation.js";

function causes(session: SessionManager, ...ids: readonly string[]): (string | undefined)[] {
  const source = session.getSource();
  return ids.map((id) => branchCause(source, source.tree.ids.findText(id)));
}

describe("why a branch exists", () => {
  it("is the cause of the position record before its first entry, for every entry of the branch", () => {
    const session = tree("a-b-c");
    session.branch("b");
    session.recordPosition({ cause: "undo" });
    session.branch("b");
    const first = session.appendMessage(user("d"));
    const second = session.appendMessage(user("e"));
    expect(causes(session, "a", "b", "c", first, second)).toEqual([undefined, undefined, undefined, "undo", "undo"]);
  });

  it("is separate for two branches at one entry, even if a change of model comes first", () => {
    const session = tree("a-b");
    const ids = ["tree", "pop"].map((cause) => {
      session.branch("a");
      session.recordPosition({ cause });
      session.appendModelChange("acme", "m");
      return session.appendMessage(user(cause));
    });
    expect(causes(session, "b", ...ids)).toEqual([undefined, "tree", "pop"]);
  });

  it("is in the summary where one was written, and is known for another first entry", () => {
    const session = tree("a-b");
    const summary = session.branchWithSummary("a", "s", undefined, undefined, undefined, "pop");
    session.branch(null);
    session.recordPosition({ cause: "tree" });
    const root = session.appendMessage(user("start over"));
    expect(causes(session, summary, root)).toEqual(["pop", "tree"]);
  });

  it("is unknown where no record tells, or tells something else", () => {
    const session = tree("a-b; a-c");
    session.branch("a");
    session.appendCustomEntry("bough.position", { cause: 7 });
    const later = session.appendMessage(user("d"));
    expect(causes(session, "c", later)).toEqual([undefined, undefined]);
  });
});
