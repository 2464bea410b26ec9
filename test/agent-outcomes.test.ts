/** How attempts ended, as recorded by the agent's own operations; and lines traced to them. */
import { join } from "node:path";
import { harness } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { filesPlace } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { type FilesRoot, filesRoot } from "@bough/workbench/checkpoint/index.js";
import { answerBlame, answerTried, History, type Outcome } from "@bough/workbench/history/index.js";
import { afterEach, expect, test, vi } from "vitest";
import { tempFolder } from "./support/temp-folder.js";

const options = { now: () => new Date(), timeouts: { refresh: 60_000, search: 60_000 } };

afterEach(() => {
  vi.unstubAllEnvs();
});

test("moves, pops, undone moves, merges and picks of a real agent", async () => {
  const home = tempFolder();
  const dir = join(home, ".bough", "sessions", "--app--");
  const session = SessionManager.create(home, dir);
  const model = scriptedModel(Array.from({ length: 20 }, (_, n) => `Answer ${n}.`));
  const { agent } = harness({ model, session });
  const ask = async (prompt: string): Promise<EntryId> => {
    await agent.prompt(prompt);
    return session.getLeafId() as EntryId;
  };
  const base = await ask("Look around");
  await ask("Try the walrus way");
  await agent.navigateTree(base, { place: "exact" });
  await ask("Try the narwhal way");
  await agent.undoMove();
  await agent.navigateTree(base, { place: "exact" });
  const merged = await ask("Try the seal way");
  await agent.navigateTree(base, { place: "exact" });
  const picked = await ask("Try the otter way");
  await agent.navigateTree(base, { place: "exact" });
  await ask("Try the beaver way");
  await agent.pop(undefined, { summarize: true });
  await agent.merge(merged);
  await agent.cherryPick([session.getEntry(picked)?.parentId as EntryId, picked]);
  await ask("Keep the marmot way");
  session.close();
  const history = new History({ home: join(home, ".bough"), agents: { home, environment: {} } });
  await history.refresh();
  const outcomes: Record<string, Outcome> = {};
  for (const { prompt, outcome } of history.sessions[0]?.facts.turns ?? []) {
    const [, animal] = /(?:Try|Keep) the (\w+) way/.exec(prompt) ?? [];
    if (animal !== undefined) outcomes[animal] ??= outcome;
  }
  expect(outcomes).toEqual({
    walrus: "left",
    narwhal: "undone",
    seal: "kept",
    otter: "kept",
    beaver: "undone",
    marmot: "kept",
  });
  // Turns of the last minute are left out, as the question itself may be one of them.
  const later = { ...options, now: () => new Date(Date.now() + 120_000) };
  const { text } = await answerTried(history, { words: "beaver" }, later);
  expect(text).toMatch(/^undone: left by \/pop\n[\s\S]*summary: Answer/);
});

test("lines are traced to the prompt that wrote them, and to how it ended", async () => {
  const home = tempFolder();
  const cwd = tempFolder();
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  const { store } = (await filesRoot(cwd, join(home, ".bough"))) as FilesRoot;
  const sessions = join(home, ".bough", "sessions", "--app--");
  const place = await filesPlace({ root: cwd, store, sessions });
  await place.step("Write the first lines", { "a.txt": "one\ntwo\n" });
  await place.step("Add the walrus", { "a.txt": "one\nwalrus\ntwo\n" });
  place.session.close();
  const other = await filesPlace({ root: cwd, store, sessions });
  await other.step("Something else", { "b.txt": "b\n" });
  other.session.close();
  const history = new History({ home: join(home, ".bough"), agents: { home, environment: {} } });
  const whole = await answerBlame(history, { file: "a.txt", cwd }, options);
  expect(whole.found).toBe(3);
  const { text } = await answerBlame(history, { file: join(cwd, "a.txt"), line: 2, cwd: "/" }, options);
  expect(text).toMatch(
    /line 2: written by bash, .*#\w+ · branch #1 \(Write the first lines\)\n {2}asked: Add the walrus\n {2}kept\n {2}walrus$/,
  );
  await expect(answerBlame(history, { file: "../src/../etc/passwd", cwd }, options)).rejects.toThrow();
});
