import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import {
  AgentSdkStore,
  addStore,
  initStore,
  openStore,
  SyncStates,
  syncSession,
} from "@bough/workbench/store/index.js";
import { describe, expect, it, vi } from "vitest";
import { user } from "../../../../../test/support/messages.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";

/** A store with sessions of another machine, and this one in a checkout of their project. */
async function world(...prompts: readonly string[]) {
  const base = tempFolder();
  const address = join(base, "store");
  await initStore(address);
  const made = testContext({ drawing: "A-b*" });
  const { home, cwd } = made.context;
  vi.stubEnv("BOUGH_HOME", home);
  execFileSync("git", ["init", "-q"], { cwd });
  execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd });
  addStore(home, { name: "home", address });
  const store = await openStore(address, { home: base, replica: { id: "0".repeat(16), name: "office laptop" } });
  const ids: string[] = [];
  for (const prompt of prompts) {
    const session = SessionManager.create("/home/anna/app", join(base, "sessions"));
    session.appendMessage(user(prompt));
    session.close();
    const [sessionId, file] = [session.getSessionId(), session.getSessionFile() as string];
    const about = { project: "example.com/team/app", title: prompt };
    await syncSession({ store, states: new SyncStates(base, address), sessionId, file, about });
    ids.push(sessionId);
  }
  return { ...made, address, store, ids };
}

/** The list does not wait long for a store; on a busy machine it may not have answered the first time. */
const UNTIL_ANSWERED = { timeout: 60_000 };

describe("/resume with a store", () => {
  it("lists what is only there with its machine, and opens it by title and by ID", async () => {
    const { context, session, ids } = await world("fix the lexer", "write the docs");
    const own = session.getSessionFile() as string;
    await expect
      .poll(() => runCommandLine(context, "/resume"), UNTIL_ANSWERED)
      .toMatchObject({
        message: expect.stringContaining(`  ${ids[0]}  fix the lexer  ⇅ office laptop, not here yet`),
        data: { total: 1, stored: expect.arrayContaining([{ id: ids[0], title: "fix the lexer" }]) },
      });
    expect(await runCommandLine(context, "/resume fix the lexer")).toMatchObject({ kind: "done" });
    expect(session.getSessionId()).toBe(ids[0]);
    await runCommandLine(context, `/resume "${own}"`);
    expect(await runCommandLine(context, `/resume ${ids[1]}`)).toMatchObject({ kind: "done" });
    expect(session.getSessionId()).toBe(ids[1]);
    expect(await runCommandLine(context, "/resume nope")).toMatchObject({ code: "session-not-found" });
  });

  it("lists what is here, and says why nothing of the store is there", async () => {
    const { context, session, address } = await world("fix the lexer");
    renameSync(address, `${address}.away`);
    await expect
      .poll(() => runCommandLine(context, "/resume"), UNTIL_ANSWERED)
      .toMatchObject({
        ...{ kind: "done", data: { total: 1, stored: [] } },
        message: expect.stringMatching(
          new RegExp(`^ {2}${session.getSessionId()} .*\nSessions of other machines are not shown: `),
        ),
      });
    expect(await runCommandLine(context, "/resume fix the lexer")).toMatchObject({
      kind: "unchanged",
      code: expect.stringMatching(/^store-/),
    });
  });

  it("leaves transcripts of the Claude Agent SDK out", async () => {
    const { context, store } = await world();
    const key = { projectKey: "app", sessionId: "5e551011-0000-4000-8000-0000000000aa" };
    await new AgentSdkStore(store).append(key, [{ type: "user", uuid: "u1" }]);
    expect(await store.list()).toHaveLength(1);
    expect(await runCommandLine(context, "/resume")).toMatchObject({ data: { stored: [] } });
  });
});
