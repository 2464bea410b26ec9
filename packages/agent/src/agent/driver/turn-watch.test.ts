import { expect, test } from "vitest";
import { TURN_VERSION, TurnJournal } from "../../driver/internal.js";
import { NO_HOOKS } from "../../extension/run.js";
import type { PermissionRequest } from "../../tool/index.js";
import { TurnWatch } from "./turn-watch.js";

test("rules decide about the whole command and path, however little of the call is kept", async () => {
  const head = { version: TURN_VERSION, sessionId: "s", leaf: null, driver: "pi", nativeId: "n", model: "m" } as const;
  const journal = new TurnJournal(undefined, { ...head, cwd: "/project", timestamp: 1 });
  const requests: PermissionRequest[] = [];
  const watch = new TurnWatch(
    {
      ...{ files: undefined, emit: () => {}, cwd: "/project", denials: [], now: () => new Date(0), hooks: NO_HOOKS },
      permit: async (request) => {
        requests.push(request);
        return { allowed: true };
      },
    },
    journal,
    new AbortController().signal,
  );
  const long = "x".repeat(300_000);
  const command = `echo ${long}; cat .env`;
  await watch.ask({ id: "1", action: "run", title: "Say something", input: { command } });
  await watch.ask({ id: "2", action: "edit", input: { file_path: ".env", content: long } });
  // Nothing more fits into the journal.
  for (let size = 32 << 20; size > 0; size >>= 1) {
    for (let twice = 0; twice < 2; twice++) journal.add({ kind: "text", text: "x".repeat(size) });
  }
  await watch.ask({ id: "3", action: "run", input: { command: "cat .env" } });
  expect(requests).toMatchObject([
    { tool: "bash", action: "run", target: command },
    { action: "write", target: "/project/.env" },
    { tool: "bash", action: "run", target: "cat .env" },
  ]);
});
