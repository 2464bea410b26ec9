/** The first look at a folder stores everything without git, and says how far it is while a command waits for it. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
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

/** Files of a session in a folder of its own, and what is said of them. */
function followed() {
  const cwd = tempFolder();
  for (let file = 0; file < 50; file++) writeFileSync(join(cwd, `${file}.txt`), `${file}`);
  const said: unknown[] = [];
  const session = SessionManager.create(cwd, tempFolder());
  const parts = { session, hooks: fakeHooks([]).hooks, cwd, emit: (event: unknown) => said.push(event) };
  return { cwd, said, files: new AgentFiles(parts, { home: tempFolder() }) };
}

test.each([0, 1, 3, 10, 30])("nothing is said of it once the session was left, %i turns later", async (turns) => {
  const { cwd, said, files } = followed();
  const looking = files.beforeTools();
  for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
  await files.close();
  said.length = 0;
  rmSync(cwd, { recursive: true });
  await looking;
  expect(said).toEqual([]);
});

test("tidying that goes on while the session is left does not open the folder again", async () => {
  const { cwd, said, files } = followed();
  await files.beforeTools();
  const tidying = files.tidy(new Date());
  await files.close();
  said.length = 0;
  rmSync(cwd, { recursive: true });
  await tidying;
  expect(said).toEqual([]);
});
