import { join } from "node:path";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { TestApp } from "./app.test-support.js";

const open: TestApp[] = [];

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** A folder with another session; the agent works from `go` until it is stopped. */
async function seated(): Promise<{ readonly app: TestApp; readonly go: () => Promise<void> }> {
  const model = scriptedModel(["first answer", { text: "looking", hang: true }]);
  const app = await TestApp.open({
    model,
    session: (folder) => {
      const other = SessionManager.create(folder, join(folder, "sessions"));
      other.appendMessage({ role: "user", content: "another session", timestamp: 1 });
      other.close();
      return SessionManager.create(folder, join(folder, "sessions"));
    },
  });
  open.push(app);
  await app.agent.prompt("hello");
  const go = async (): Promise<void> => {
    void app.agent.prompt("go");
    await model.reached(2);
  };
  return { app, go };
}

const OFFER = "Agent is working.\n Esc stops it";

interface Case {
  readonly line: string;
  readonly title: string;
  /** The keys to press until the panel says that the agent is working. */
  readonly keys: readonly string[];
}

const CASES: readonly Case[] = [
  { line: "/tree", title: " branch · on #1", keys: ["up", "enter"] },
  { line: "/fork", title: " Fork ·", keys: ["enter"] },
  { line: "/resume", title: "another session", keys: ["down", "enter"] },
  { line: "/context", title: " Context ·", keys: ["down", "down", "x"] },
  { line: "/branches", title: " Branches ·", keys: ["enter"] },
];

describe("where a panel says that Esc stops the agent", () => {
  test.each(CASES)("$line: Esc stops it and the panel stays; the next Esc closes it", async (one) => {
    const { app, go } = await seated();
    app.type(one.line);
    app.press("enter");
    await app.shows(one.title);
    await go();
    app.press(...one.keys);
    await app.shows(OFFER);
    app.press("esc");
    await app.shows("Stopped.");
    await app.agent.whenIdle();
    const screen = await app.screen();
    expect(screen).not.toContain(OFFER);
    expect(screen).toContain(one.title);
    app.press("esc");
    await app.hides(one.title);
    expect(app.agent.session.getBranch().at(-1)).toMatchObject({ message: { stopReason: "aborted" } });
  });

  test("/search: Esc stops it, and the words stay", async () => {
    const { app, go } = await seated();
    app.type("/search another");
    app.press("enter");
    await app.shows(" Search ·");
    app.press("tab");
    await app.shows("another session");
    await go();
    app.press("enter");
    await app.shows(OFFER);
    app.press("esc");
    await app.shows("Stopped.");
    expect(await app.screen()).toContain("another session");
  });

  test("looking and closing again leaves the agent at work", async () => {
    const { app, go } = await seated();
    app.type("/tree");
    app.press("enter");
    await app.shows("branch · on #1");
    await go();
    await app.shows("Agent is working. You can browse but not move.");
    app.press("up", "esc");
    await app.hides("branch · on #1");
    expect([app.agent.isStreaming, app.agent.isStopping]).toEqual([true, false]);
  });

  test("an offer is over when the agent is, and Esc closes the panel", async () => {
    const { app, go } = await seated();
    app.type("/fork");
    app.press("enter");
    await app.shows(" Fork ·");
    await go();
    app.press("enter");
    await app.shows(OFFER);
    app.agent.abort();
    await app.agent.whenIdle();
    await app.hides(OFFER);
    app.press("esc");
    await app.hides(" Fork ·");
  });
});
