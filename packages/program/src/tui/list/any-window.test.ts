import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { answer, drawSession, result, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { McpServers } from "@bough/agent/mcp/index.js";
import { createModelRegistry } from "@bough/agent/model/index.js";
import { DEFAULT_SETTINGS } from "@bough/agent/project/index.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampledCases, sampledStep } from "../../../../../test/support/sampled.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { ScreenRequest } from "../../command/index.js";
import { openScreen } from "../app/screens.js";
import { ALL_KEYS } from "../keys/all-keys.js";
import { createKeyMap } from "../keys/create-key-map.js";
import { type ListApp, listApp } from "./screen-app.test-support.js";

const HOSTILE = "看 \x1b[2J\x1b]0;title\x07 👩‍👩‍👧 wide\u202e and\ttabs\r\nlines \u0007";
const REQUESTS: readonly ScreenRequest[] = [
  { screen: "resume" },
  { screen: "context" },
  { screen: "model" },
  { screen: "thinking" },
  { screen: "settings" },
  { screen: "search", words: "wide" },
  { screen: "session" },
  { screen: "compact", instructions: HOSTILE },
  { screen: "export" },
  { screen: "fork" },
  { screen: "mcp" },
];

let before: string | undefined;
let home = "";

beforeEach(() => {
  before = process.env.BOUGH_HOME;
  home = tempFolder();
  process.env.BOUGH_HOME = home;
});

afterEach(() => {
  if (before === undefined) delete process.env.BOUGH_HOME;
  else process.env.BOUGH_HOME = before;
});

function app(glyphs: "unicode" | "ascii", text: string): ListApp {
  const dir = join(home, "sessions", "--project--");
  mkdirSync(dir, { recursive: true });
  const session = drawSession(
    "A-b-r-C-d*; b-E",
    {
      A: says(user(text.repeat(50))),
      b: says(answer(text, { calls: [{ id: "c", name: text, path: text }] })),
      r: says(result("c", text.repeat(20), true)),
      C: says(user(`${text}. You must never forget this.`)),
      E: says(user(text)),
    },
    { folder: dir },
  );
  session.appendSessionInfo(text);
  const registry = createModelRegistry({ home, env: { OPENAI_API_KEY: "k" }, servers: [] });
  const settings = { ...DEFAULT_SETTINGS, compaction: { enabled: true, reserveTokens: 100, keepRecentTokens: 20 } };
  const servers = new McpServers({
    servers: [{ name: "odd", settings: { command: "no-such-command", disabled: true }, source: { kind: "program" } }],
    ...{ cwd: home, home, env: {} },
  });
  const model = registry.open(registry.preferred());
  const agent = { session, settings, tools: [tool({ name: "read" })], model, servers };
  return listApp({ glyphs, home, sessionDir: dir, registry, agent });
}

/** The host itself fails if a line is too wide, there are too many lines, or a control character is drawn. */
async function drawEverywhere(made: ListApp, request: ScreenRequest): Promise<string> {
  const { host } = made;
  void openScreen(made.app, request);
  for (let turn = 0; turn < 50; turn++) await host.settle();
  let drawn = "";
  for (const [column, width] of [1, 2, 7, 20, 39, 60, 80, 130].entries()) {
    for (const [row, height] of [1, 2, 3, 4, 6, 9, 30].entries()) {
      if ((column * 7 + row) % sampledStep(5) !== 0) continue;
      host.resize({ width, height });
      drawn += `${host.screen}\n`;
      host.press("down");
      drawn += host.screen;
      host.press("up");
    }
  }
  return drawn;
}

it("no key means two things in one screen", () => {
  expect(createKeyMap({ scopes: ALL_KEYS }).problems).toEqual([]);
});

describe.each(REQUESTS.map((request) => [request.screen, request] as const))("the screen %s", (_name, request) => {
  it("fits any window, whatever is in the session", async () => {
    const drawn = await drawEverywhere(app("unicode", HOSTILE), request);
    expect(drawn).not.toContain("\u202e");
  });

  it("knows every key of its table", async () => {
    const scope = request.screen === "session" ? "sheet" : request.screen === "thinking" ? "list" : request.screen;
    const actions = createKeyMap({ scopes: ALL_KEYS }).actionsOf(scope);
    expect(actions.length).toBeGreaterThan(5);
    for (const { id, keys } of actions) {
      for (const key of sampledCases(keys, 0)) {
        const made = app("unicode", "wide words");
        void openScreen(made.app, request);
        for (let turn = 0; turn < 20; turn++) await made.host.settle();
        expect([id, key, made.host.screen !== "" && made.host.press(key)]).toEqual([id, key, true]);
        await made.host.settle();
      }
    }
  });

  it("has only ASCII where the terminal has nothing else", async () => {
    const plain = request.screen === "compact" ? { ...request, instructions: "the cases" } : request;
    const drawn = await drawEverywhere(app("ascii", "plain words"), plain);
    expect([...new Set(drawn.match(/[^\n\x20-\x7e]/g) ?? [])]).toEqual([]);
  });
});
