/** The first look at a folder stores everything without git, and says how far it is while a command waits for it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.js";
import { SessionManager } from "../../session/index.js";
import { fakeHooks } from "../operation-parts.test-support.js";
import { AgentFiles } from "./agent-files.js";

afterEach(() => vi.useRealTimers());

test("a wait for it is told of, with the number of files", async () => {
  const cwd = tempFolder();
  for (let folder = 0; folder < 20; folder++) {
    mkdirSync(join(cwd, `d${folder}`));
    for (let file = 0; file < 100; file++) writeFileSync(join(cwd, `d${folder}`, `${file}.txt`), `${folder} ${file}`);
  }
  const said: string[] = [];
  const emit = (event: { readonly type: string; readonly message?: unknown }) => {
    if (event.type === "notice") said.push(String(event.message));
  };
  const session = SessionManager.create(cwd, tempFolder());
  const files = new AgentFiles({ session, hooks: fakeHooks([]).hooks, cwd, emit }, { home: tempFolder() });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isDone = false;
  const waiting = files.beforeTools().then(() => {
    isDone = true;
  });
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(10_000);
    await new Promise((next) => setImmediate(next));
  }
  await waiting;
  vi.useRealTimers();
  expect(said.filter((message) => /^Storing this folder's files .*: [\d,]+ of 2,000$/.test(message))).not.toEqual([]);
  const before = said.length;
  await files.beforeTools();
  expect(said.length).toBe(before);
  await files.close();
});
