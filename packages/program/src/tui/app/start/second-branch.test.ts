import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, expect, it } from "vitest";
import { TestApp } from "../app.test-support.js";

const open: TestApp[] = [];

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** A session that has two branches already. */
function forked(folder: string): SessionManager {
  const session = SessionManager.create(folder, folder);
  const first = session.appendMessage({ role: "user", content: "first", timestamp: 0 });
  session.appendMessage({ role: "user", content: "one way", timestamp: 0 });
  session.branch(first);
  session.appendMessage({ role: "user", content: "another way", timestamp: 0 });
  session.branch(first);
  return session;
}

it("a new branch is called new, with its own number, however many there were, and only once", async () => {
  const app = await TestApp.open({ columns: 100, session: forked });
  open.push(app);
  app.type("a third way");
  app.press("enter");
  await app.shows("This is a new branch (#3).");
  await app.shows("The one you left is unchanged: /switch - goes back.");
  await app.agent.whenIdle();
  const [first] = app.agent.session.getBranch();
  await app.agent.navigateTree(first?.id ?? "", { summarize: false });
  app.type("a fourth way");
  app.press("enter");
  await app.hides("This is a new branch");
  await app.agent.whenIdle();
  await app.shows("a fourth way");
  expect(await app.screen()).not.toContain("new branch");
});
