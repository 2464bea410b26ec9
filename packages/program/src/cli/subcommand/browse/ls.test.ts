/** `bough ls` in a home with sessions of five agents. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { sessionStats } from "@bough/agent/agent/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { AGENT_NAMES } from "@bough/workbench/interop/index.js";
import { describe, expect, test, vi } from "vitest";
import { AGENT_IDS, layOutAgents } from "../../../../../../test/support/agents-home.js";
import { fingerprint } from "../../../../../../test/support/fingerprint.js";
import { assistant, user } from "../../../../../../test/support/messages.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { type AgentsPlace, agentsPlace, runCommand } from "../import/run-command.test-support.js";
import { findSubcommand } from "../subcommands.js";
import { COUNT_BUDGET } from "./count-listed.js";

interface SessionJson {
  readonly id: string;
  readonly agent: string;
  readonly path: string;
  readonly name: string | null;
  readonly firstMessage: string;
  readonly bytes: number | null;
  readonly turns: number | null;
  readonly messages: number | null;
  readonly branches: number | null;
  readonly cost: { readonly dollars: number; readonly unpriced: number } | null;
  readonly exact: boolean;
  readonly importedFrom: { readonly agent: string; readonly id: string; readonly path: string } | null;
}

async function list(place: Pick<AgentsPlace, "cwd">, ...args: string[]): Promise<readonly SessionJson[]> {
  const { code, stdout, stderr } = await runCommand(place, ["ls", "--json", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  return (JSON.parse(stdout) as { sessions: SessionJson[] }).sessions;
}

const cacheFile = ({ home }: AgentsPlace) => join(home, "bough", "cache", "session-counts.jsonl");

/** More than is read of every session, so that it has to be counted. */
function largeSession(cwd: string, turns = 100): string {
  const session = SessionManager.create(cwd);
  for (let i = 0; i < turns; i++) {
    session.appendMessage(user(`prompt ${i}`));
    const usage = {
      ...assistant("x").usage,
      cost: { input: 0.25, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 },
    };
    session.appendMessage({ ...assistant("answer ".repeat(100)), usage });
  }
  session.close();
  return session.getSessionFile() as string;
}

/** A session of this size that takes no disk space: a hole between its first and last entry. */
function hollowSession(cwd: string, id: string, bytes: number): void {
  const session = SessionManager.create(cwd);
  session.newSession({ id });
  session.appendMessage(user(`in ${id}`));
  session.close();
  const hole = `${" ".repeat(1 << 16)}\n`;
  const file = session.getSessionFile() as string;
  for (let size = 0; size < bytes; size += hole.length * 64) appendFileSync(file, hole.repeat(64));
}

describe("the sessions in this folder", () => {
  test("are counted, with their cost, also where they are large", async () => {
    const place = agentsPlace();
    const file = largeSession(place.cwd);
    const [session] = await list(place);
    expect(session).toMatchObject({
      agent: "bough",
      path: file,
      firstMessage: "prompt 0",
      turns: 100,
      messages: 200,
      branches: 1,
      cost: { dollars: 25, unpriced: 0 },
      exact: true,
      importedFrom: null,
    });
    const opened = SessionManager.open(file, undefined, { readOnly: true });
    const { dollars, unpriced } = sessionStats(opened).session.usage;
    opened.close();
    expect(session?.cost).toEqual({ dollars, unpriced });
  });

  test("are counted again once they were written to", async () => {
    const place = agentsPlace();
    const file = largeSession(place.cwd);
    expect((await list(place)).map(({ turns }) => turns)).toEqual([100]);
    expect(existsSync(cacheFile(place))).toBe(true);
    const session = SessionManager.open(file);
    session.appendMessage(user("one more"));
    session.close();
    expect((await list(place)).map(({ turns, cost }) => [turns, cost?.dollars])).toEqual([[101, 25]]);
    expect((await list(place)).map(({ turns, cost }) => [turns, cost?.dollars])).toEqual([[101, 25]]);
  });

  test("are counted as far as it takes no time; the rest shows nothing, with a word how to get it", async () => {
    const place = agentsPlace();
    hollowSession(place.cwd, "huge", COUNT_BUDGET + 1);
    largeSession(place.cwd, 50);
    const { stdout, stderr } = await runCommand(place, ["ls"]);
    const rows = stdout.split("\n").map((line) => line.split("\t"));
    expect(rows.map((row) => row.slice(3, 5))).toEqual([["turns", "branches"], ["50", "1"], ["", ""], []]);
    expect(stderr).toBe("1 session not counted yet (?); --exact counts all listed sessions\n");
    expect((await list(place)).map(({ turns, exact }) => [turns, exact])).toEqual([
      [50, true],
      [null, false],
    ]);
    expect((await list(place, "--exact")).map(({ turns }) => turns)).toEqual([50, 1]);
    // Once counted, it is known.
    expect((await list(place)).map(({ turns }) => turns)).toEqual([50, 1]);
  });

  test("are listed although the cache is damaged, a folder, or in a home that cannot be written to", async () => {
    const place = agentsPlace();
    largeSession(place.cwd);
    await list(place);
    writeFileSync(cacheFile(place), "{{{\n\u0000");
    expect((await list(place)).map(({ turns }) => turns)).toEqual([100]);
    rmSync(cacheFile(place));
    mkdirSync(cacheFile(place));
    expect((await list(place)).map(({ turns }) => turns)).toEqual([100]);
    rmSync(cacheFile(place), { recursive: true });
    chmodSync(dirname(cacheFile(place)), 0o500);
    expect((await list(place)).map(({ turns }) => turns)).toEqual([100]);
    chmodSync(dirname(cacheFile(place)), 0o700);
  });

  test("leave no cache behind where there is nothing to keep", async () => {
    const place = agentsPlace();
    const session = SessionManager.create(place.cwd);
    session.appendMessage(user("hello"));
    session.close();
    expect((await list(place)).map(({ turns, cost }) => [turns, cost])).toEqual([[1, { dollars: 0, unpriced: 0 }]]);
    expect(existsSync(dirname(cacheFile(place)))).toBe(false);
  });
});

describe("the sessions of all agents", () => {
  const known = (sessions: readonly SessionJson[]) =>
    sessions.map(({ agent, name, firstMessage, turns, branches }) => [agent, name ?? firstMessage, turns, branches]);

  test("are one list, each with something to read, and counted", async () => {
    const place = agentsPlace();
    const own = SessionManager.create("/elsewhere");
    own.appendMessage(user("one of ours"));
    own.close();
    const sessions = await list(place, "--all-agents");
    expect(new Set(sessions.map(({ agent }) => agent))).toEqual(new Set(["bough", ...AGENT_NAMES]));
    expect(sessions).toHaveLength(Object.keys(place.transcripts).length + 1);
    expect(known(sessions)).toContainEqual(["bough", "one of ours", 1, 1]);
    for (const { name, firstMessage, turns, branches, cost, exact, bytes } of sessions) {
      expect((name ?? firstMessage).trim()).not.toBe("");
      expect([turns, branches, bytes].every((count) => count !== null && count > 0)).toBe(true);
      expect([cost === null, exact]).toEqual([false, true]);
    }
  });

  test("are newest first, at most as many as requested", async () => {
    const place = agentsPlace();
    const sessions = await list(place, "--all-agents");
    const three = await list(place, "--all-agents", "-n", "3");
    expect(three).toEqual(sessions.slice(0, 3));
  });

  test("show enough of an id to distinguish it from those of other agents, even unlisted ones", async () => {
    const place = agentsPlace();
    const [codex] = await list(place, "--agent", "codex");
    const { id } = codex as SessionJson;
    const twin = `${id.slice(0, 12)}ffff-7000-8000-000000000000`;
    const header = { type: "session", version: 3, id: twin, timestamp: "2026-11-15T08:00:00.000Z", cwd: place.cwd };
    const message = {
      type: "message",
      id: "a1b2c3d4",
      parentId: null,
      timestamp: header.timestamp,
      message: user("hi"),
    };
    const file = join(dirname(place.transcripts.pi), `2026-11-15T08-00-00-000Z_${twin}.jsonl`);
    writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(message)}\n`);
    vi.spyOn(process, "stdout", "get").mockReturnValue(Object.assign(Object.create(process.stdout), { isTTY: true }));
    const { stdout } = await runCommand(place, ["ls", "--agent", "codex"]);
    vi.restoreAllMocks();
    const lines = stripVTControlCharacters(stdout).split("\n");
    const shown = lines.map((line) => line.split(" ")[0] as string);
    expect(shown.filter((start) => start.length >= 4 && id.startsWith(start))).toEqual([id.slice(0, 13)]);
  });

  test("can be narrowed to some agents", async () => {
    const place = agentsPlace();
    const own = SessionManager.create(place.cwd);
    own.appendMessage(user("one of ours"));
    own.close();
    const agents = async (...args: string[]) => [...new Set((await list(place, ...args)).map(({ agent }) => agent))];
    expect([
      await agents("--agent", "bough"),
      await agents("--agent", "codex"),
      (await agents("--agent", "gemini", "--agent", "pi")).sort(),
    ]).toEqual([["bough"], ["codex"], ["gemini", "pi"]]);
  });

  test("can be any of those that Bough reads, and no others", async () => {
    const place = agentsPlace();
    expect(findSubcommand("ls")?.flags.agent?.choices).toEqual(["bough", ...AGENT_NAMES]);
    const wrong = await runCommand(place, ["ls", "--agent", "emacs"]);
    expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
    expect((await runCommand(place, ["ls", "--archived", "--all-agents"])).code).toBe(2);
  });

  test("have ids that the other commands take", async () => {
    const place = agentsPlace();
    for (const { id } of await list(place, "--all-agents")) {
      const { code, stdout } = await runCommand(place, ["stats", id, "--json"]);
      expect([code, Object.keys(JSON.parse(stdout) as object)[0]]).toEqual([0, "session"]);
    }
  });

  test("have one that was imported in them once, as Bough's, with the agent it came from", async () => {
    const place = agentsPlace();
    const before = await list(place, "--agent", "codex");
    const [codex] = before as [SessionJson];
    expect((await runCommand(place, ["import", codex.id])).code).toBe(0);
    const after = await list(place, "--all-agents");
    const imported = after.filter(({ importedFrom }) => importedFrom !== null);
    expect(imported).toMatchObject([
      { agent: "bough", importedFrom: { agent: "codex", id: codex.id, path: codex.path }, turns: codex.turns },
    ]);
    expect(after.some(({ agent }) => agent === "codex")).toBe(false);
    expect(await list(place, "--agent", "codex")).toEqual(imported);
    const { stdout } = await runCommand(place, ["ls", "--agent", "codex"]);
    expect(stdout).toContain("\tbough\n");
  });

  test("are counted again once they have grown by half, and show their earlier counts until then", async () => {
    const place = agentsPlace();
    const rewind = place.transcripts.claude;
    const counted = async (...flags: string[]) => {
      const found = (await list(place, "--agent", "claude-code", ...flags)).find(({ path }) => path === rewind);
      return [found?.turns, found?.exact];
    };
    const [before] = (await counted()) as [number, boolean];
    expect(await counted()).toEqual([before, true]);
    const lines = readFileSync(rewind, "utf8").trim().split("\n");
    const last = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .findLast(({ type }) => type === "assistant");
    const ask = (number: number, content: string) => {
      const prompt = {
        ...last,
        type: "user",
        uuid: `0d9d2f0e-0000-4000-8000-00000000000${number}`,
        parentUuid: last?.uuid,
      };
      appendFileSync(rewind, `${JSON.stringify({ ...prompt, message: { role: "user", content } })}\n`);
    };
    ask(1, "And now?");
    expect(await counted()).toEqual([before, false]);
    const { stderr } = await runCommand(place, ["ls", "--agent", "claude-code"]);
    expect(stderr).toContain("1 session grew after counting (+); --exact counts all listed sessions\n");
    ask(2, "again ".repeat(lines.join("\n").length / 10));
    expect(await counted()).toEqual([before + 2, true]);
    ask(3, "And now?");
    expect(await counted("--exact")).toEqual([before + 3, true]);
    expect(await counted()).toEqual([before + 3, true]);
  });

  test("that share a database have separate counts, but no size", async () => {
    const home = tempFolder();
    vi.stubEnv("HOME", home);
    vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
    for (const name of ["XDG_DATA_HOME", "OPENCODE_DB"]) vi.stubEnv(name, undefined);
    layOutAgents({ home, opencode: "database" });
    const before = fingerprint(join(home, ".local"));
    const look = async () =>
      Object.fromEntries(
        (await list({ cwd: home }, "--agent", "opencode")).map(({ id, bytes, turns }) => [id, [bytes, turns]]),
      );
    const expected = {
      [AGENT_IDS.opencode]: [null, expect.any(Number)],
      [AGENT_IDS.opencodeCompaction]: [null, expect.any(Number)],
      [AGENT_IDS.opencodeSubagent]: [null, expect.any(Number)],
    };
    expect(await look()).toEqual(expected);
    expect(await look()).toEqual(expected);
    expect(fingerprint(join(home, ".local"))).toEqual(before);
  });

  test("are not changed by reading them", async () => {
    const place = agentsPlace();
    const folders = [".claude", ".codex", ".gemini", ".pi", ".local"].map((name) => join(place.home, name));
    const before = folders.map(fingerprint);
    await list(place, "--all-agents", "--exact");
    expect(folders.map(fingerprint)).toEqual(before);
  });

  test("are none in an empty home", async () => {
    const home = tempFolder();
    vi.stubEnv("HOME", home);
    vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
    expect(await list({ cwd: home }, "--all-agents")).toEqual([]);
  });
});
