import { expect, test } from "vitest";
import { labelHolders } from "./label-holders.js";
import { SessionManager } from "./session-manager.js";

test("the holders of a label are the entries that have it now, the one it was put on last first", () => {
  const session = SessionManager.inMemory("/project");
  const [a, b, c, d] = ["a", "b", "c", "d"].map((content) =>
    session.appendMessage({ role: "user", content, timestamp: 1 }),
  ) as [string, string, string, string];
  for (const id of [a, b, c, d]) session.appendLabelChange(id, "good");
  session.appendLabelChange(a, "better");
  session.appendLabelChange(c);
  session.appendLabelChange(b, "good");
  expect(labelHolders(session, "good")).toEqual([b, d]);
  expect(labelHolders(session, "better")).toEqual([a]);
  expect(labelHolders(session, "other")).toEqual([]);
});
