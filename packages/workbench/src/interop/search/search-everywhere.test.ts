/** One search over Bough's own and other agents' sessions. */

import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type SearchProgress, SessionManager, sessionsRoot } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AGENT_IDS, type AgentsHome, layOutAgents } from "../../../../../test/support/agents-home.js";
import { fingerprint } from "../../../../../test/support/fingerprint.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { findPlaces } from "../foreign-place.js";
import { importSession } from "../import/import-session.js";
import type { ForeignPlace } from "../index.js";
import * as opening from "../open-foreign.js";
import type { FoundHit } from "./hit-search.js";
import { searchEverywhere } from "./search-everywhere.js";

let home: string;
let paths: AgentsHome;
let temporary: string;

beforeEach(() => {
  home = tempFolder();
  paths = layOutAgents({ home, opencode: "database" });
  temporary = tempFolder();
  vi.stubEnv("HOME", home);
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  vi.stubEnv("TMPDIR", temporary);
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME", "PI_CODING_AGENT_DIR"]) {
    vi.stubEnv(name, undefined);
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function own(prompt: string): SessionManager {
  const session = SessionManager.create("/home/dev/project");
  session.appendMessage({ role: "user", content: prompt, timestamp: 1 });
  session.close();
  return session;
}

interface Found {
  readonly hits: FoundHit[];
  readonly progress: SearchProgress;
}

type Options = Parameters<typeof searchEverywhere>[2];

async function search(query: string, options: Options = {}, places?: readonly ForeignPlace[]): Promise<Found> {
  const found = searchEverywhere(
    query,
    { own: { dir: sessionsRoot() }, foreign: async () => places ?? (await findPlaces()) },
    options,
  );
  const hits: FoundHit[] = [];
  for (;;) {
    const step = await found.next();
    if (step.done === true) return { hits, progress: step.value };
    hits.push(step.value);
  }
}

const agents = (hits: readonly FoundHit[]) => [...new Set(hits.map(({ agent }) => agent ?? "own"))].sort();

describe("a search over every agent", () => {
  test("finds the same words in Bough's own sessions and then in others", async () => {
    const session = own("Read notes.txt again");
    const { hits, progress } = await search("notes.txt", { roles: ["user"] });
    expect(agents(hits)).toEqual(["codex", "gemini", "opencode", "own"]);
    expect(hits[0]).toMatchObject({ sessionId: session.getSessionId(), path: session.getSessionFile() });
    expect(hits[0]).not.toHaveProperty("agent");
    expect(hits.find(({ agent }) => agent === "codex")).toMatchObject({
      sessionId: AGENT_IDS.codex,
      path: paths.codex,
      address: expect.stringMatching(new RegExp(`^codex:${AGENT_IDS.codex}#[0-9a-f]{12}$`)),
      excerpt: "Read notes.txt, then count its lines with a shell command.",
    });
    // One own session; six files and the three sessions of the database.
    expect(progress).toMatchObject({ filesDone: 10, filesTotal: 10, problems: [] });
    expect(progress.bytesDone).toBe(progress.bytesTotal);
  });

  test("finds abandoned branches, sub-agents, and pi's files in place", async () => {
    const left = await search('"Double it."');
    expect(left.hits.map(({ agent, state }) => [agent, state])).toEqual([["claude-code", "abandoned"]]);
    const helper = await search('"List what is in src."', { roles: ["custom_message"] });
    expect(helper.hits.map(({ sessionId }) => sessionId)).toEqual([
      AGENT_IDS.claudeSubagent,
      AGENT_IDS.opencodeSubagent,
    ]);
    const fruit = await search("fruit", { roles: ["user"] });
    expect(fruit.hits.map(({ agent, path }) => [agent, path])).toContainEqual(["pi", paths.pi]);
    expect(fruit.hits[0]?.address).toMatch(new RegExp(`^pi:${AGENT_IDS.pi}#`));
  });

  test("converts only sources that may contain the words, and databases, whose bytes cannot tell", async () => {
    const opened = vi.spyOn(opening, "openSource");
    await search("kettle tokenizer");
    expect(new Set(opened.mock.calls.map(([{ agent }]) => agent))).toEqual(new Set(["opencode"]));
  });

  test("stops at the limit of hits, wherever they come from", async () => {
    own("Read notes.txt again");
    const all = (await search("notes.txt")).hits;
    for (const limit of [1, 2, 3, all.length]) {
      const { hits } = await search("notes.txt", { limit });
      expect(hits.map(({ address }) => address)).toEqual(all.slice(0, limit).map(({ address }) => address));
    }
  });

  test("returns imported entries once, with their address in the import, and new entries of the source", async () => {
    const [place] = (await findPlaces()).filter(({ foreign }) => foreign.id === AGENT_IDS.claude) as [ForeignPlace];
    const { path } = await importSession(place.foreign);
    expect((await search("Triple")).hits.map((hit) => [hit.agent, hit.path])).toEqual([[undefined, path]]);
    const uuid = "7f2c8a52-5a0f-4a3e-9f5e-3a1f0e1d2c3b";
    const message = { role: "user", content: "Triple it once more." };
    const record = { type: "user", uuid, parentUuid: null, message, timestamp: "2026-11-15T09:00:00.000Z" };
    appendFileSync(paths.claude, `${JSON.stringify({ ...record, sessionId: AGENT_IDS.claude })}\n`);
    const hits = (await search("Triple")).hits.map(({ agent, excerpt }) => [agent, excerpt]);
    expect(hits).toEqual([
      [undefined, "Triple it instead."],
      ["claude-code", "Triple it once more."],
    ]);
  });

  test("names a source that cannot be read, and continues", async () => {
    const places = await findPlaces();
    rmSync(paths.codex);
    const { hits, progress } = await search("notes.txt", {}, places);
    expect(agents(hits)).toEqual(["gemini", "opencode"]);
    expect(progress.problems).toMatchObject([{ path: paths.codex, code: "read-failed" }]);
  });

  test("does not fail on a compressed or damaged file in a default folder", async () => {
    const folder = dirname(paths.codex);
    writeFileSync(join(folder, "rollout-2026-11-15T08-50-02-torn.jsonl.zst"), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1]));
    mkdirSync(join(home, ".claude", "projects", "-closed"));
    writeFileSync(join(home, ".claude", "projects", "-closed", "a.jsonl"), "{ no json\n");
    chmodSync(join(home, ".claude", "projects", "-closed"), 0o000);
    const { hits } = await search("notes.txt");
    expect(agents(hits)).toEqual(["codex", "gemini", "opencode"]);
    chmodSync(join(home, ".claude", "projects", "-closed"), 0o700);
  });

  test("can be stopped, and leaves no conversions or changed sources behind", async () => {
    const before = fingerprint(home);
    const stop = new AbortController();
    const found = searchEverywhere("notes.txt", { foreign: findPlaces }, { signal: stop.signal });
    expect((await found.next()).done).toBe(false);
    stop.abort();
    await expect(
      (async () => {
        while ((await found.next()).done !== true);
      })(),
    ).rejects.toThrow();
    const early = searchEverywhere("notes.txt", { foreign: findPlaces }, {});
    await early.next();
    await early.return({ filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, problems: [] });
    expect([tmpdir(), readdirSync(temporary)]).toEqual([temporary, []]);
    expect(fingerprint(home)).toEqual(before);
  });

  test("reports an invalid query at once", async () => {
    await expect(search("re:(")).rejects.toMatchObject({ code: "bad-query" });
  });
});
