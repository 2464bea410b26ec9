import { describe, expect, test } from "vitest";
import { SessionManager } from "../../session/index.js";
import { sessionTips } from "./session-tips.js";

const say = (session: SessionManager, content: string) =>
  session.appendMessage({ role: "user", content, timestamp: 1 });

describe("sessionTips", () => {
  test("are the ends of the conversation; labels, names and state below them do not count", () => {
    const session = SessionManager.inMemory("/work");
    const root = say(session, "a");
    const first = say(session, "b");
    session.appendLabelChange(first, "name");
    session.appendCustomEntry("state");
    session.branch(root);
    const second = say(session, "c");
    session.resetLeaf();
    session.appendModelChange("offline", "rules");
    const third = say(session, "d");
    session.resetLeaf();
    session.appendSessionInfo("nobody spoke here");
    expect(sessionTips(session.getTree())).toEqual([first, second, third]);
    expect(session.getCounts().branches).toBe(3);
  });

  test("an empty session has none", () => {
    expect(sessionTips(SessionManager.inMemory("/work").getTree())).toEqual([]);
  });

  test("a chain of thousands of entries and a parent with thousands of children are no trouble", () => {
    const session = SessionManager.inMemory("/work");
    const root = say(session, "root");
    for (let i = 0; i < 5000; i++) say(session, "deep");
    const deepest = session.getLeafId();
    for (let i = 0; i < 5000; i++) {
      session.branch(root);
      say(session, "wide");
    }
    const tips = sessionTips(session.getTree());
    expect([tips.length, tips[0]]).toEqual([5001, deepest]);
  });
});
