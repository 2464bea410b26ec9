/** Finding other agents' sessions by what a person types. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { shellWord } from "@bough/session/text/index.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AGENT_IDS, type AgentsHome, layOutAgents } from "../../../../test/support/agents-home.js";
import { fingerprint } from "../../../../test/support/fingerprint.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { findPlaces } from "../interop/index.js";
import { findSession } from "./find-session.js";
import { findForeign, findForeignPlace } from "./foreign-session.js";

let home: string;
let paths: AgentsHome;

beforeEach(() => {
  home = tempFolder();
  paths = layOutAgents({ home, opencode: "database" });
  vi.stubEnv("HOME", home);
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME", "PI_CODING_AGENT_DIR"]) {
    vi.stubEnv(name, undefined);
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function agentAndId(reference: string): Promise<string | undefined> {
  const found = await findForeign(reference);
  return found === undefined ? undefined : `${found.agent}:${found.id}`;
}

describe("a session of another agent", () => {
  test("is found by its id, the start of it, agent:id and its title", async () => {
    const codex = `codex:${AGENT_IDS.codex}`;
    expect([
      await agentAndId(AGENT_IDS.codex),
      await agentAndId("01a1de66"),
      await agentAndId("codex:01a1"),
      await agentAndId("pick a NUMBER."),
      await agentAndId("pi:01a1"),
    ]).toEqual([codex, codex, codex, `claude-code:${AGENT_IDS.claude}`, `pi:${AGENT_IDS.pi}`]);
  });

  test("is not found by fewer than four characters, by the wrong agent, or by a path that is not there", async () => {
    expect([
      await agentAndId("01a"),
      await agentAndId("gemini:01a1de66"),
      await agentAndId("nobody:01a1de66"),
      await agentAndId("./01a1de66"),
      await agentAndId("01a1de66.jsonl"),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test("is looked up by a title that is too long for a file name", async () => {
    const title = "long ".repeat(80).trimEnd();
    const line = JSON.stringify({ type: "custom-title", customTitle: title, sessionId: "bbbb1" });
    writeFileSync(join(dirname(paths.claude), "bbbb1.jsonl"), `${line}\n`);
    expect([await agentAndId(title), await agentAndId(`${title}er`)]).toEqual(["claude-code:bbbb1", undefined]);
  });

  test("is found by its path, wherever that is", async () => {
    const elsewhere = join(tempFolder(), "somewhere.jsonl");
    cpSync(paths.claude, elsewhere);
    expect(await findForeignPlace(`${elsewhere}#abcd`)).toMatchObject({
      foreign: { agent: "claude-code", path: elsewhere },
      reference: elsewhere,
      entry: "abcd",
    });
    expect(await findForeignPlace(paths.gemini)).toMatchObject({ reference: paths.gemini });
  });

  test("in a database is found after a #, and an entry of it after a second one", async () => {
    const { opencode } = AGENT_IDS;
    expect(await findForeignPlace(`${paths.opencode}#${opencode}#abcd`)).toMatchObject({
      foreign: { agent: "opencode", id: opencode, path: paths.opencode },
      reference: `${paths.opencode}#${opencode}`,
      entry: "abcd",
    });
    expect(await agentAndId(`${paths.opencode}#${opencode.slice(0, 9)}`)).toBe(`opencode:${opencode}`);
  });

  test("several that fit are named with their agent, and without control characters", async () => {
    await expect(findForeign(paths.opencode)).rejects.toMatchObject({
      code: "ambiguous-session",
      hint: expect.stringContaining(`  ${paths.opencode}#${AGENT_IDS.opencodeCompaction}  Scratch session`),
    });
    await expect(findForeign("01a1de6")).rejects.toMatchObject({
      code: "ambiguous-session",
      data: { candidates: expect.arrayContaining([expect.objectContaining({ agent: "pi", id: AGENT_IDS.pi })]) },
    });
    const title = (name: string) =>
      JSON.stringify({ type: "custom-title", customTitle: "\x1b]0;owned\x07both", sessionId: name });
    for (const name of ["aaaa1", "aaaa2"]) {
      writeFileSync(join(dirname(paths.claude), `${name}.jsonl`), `${title(name)}\n`);
    }
    const error = await findForeign("aaaa").catch((thrown: unknown) => thrown as { hint: string });
    expect(error).toMatchObject({ hint: expect.stringMatching(/claude-code:aaaa\d {2}both/) });
    expect((error as { hint: string }).hint).not.toMatch(/[\u0007\u001b]/);
  });

  test("whose ID occurs twice is named by its path", async () => {
    const second = join(home, ".claude", "projects", "-other", `${AGENT_IDS.claude}.jsonl`);
    mkdirSync(dirname(second), { recursive: true });
    cpSync(paths.claude, second);
    await expect(findForeign(AGENT_IDS.claude)).rejects.toMatchObject({
      hint: expect.stringContaining(`Give the path:\n  `),
    });
    writeFileSync(join(dirname(second), `${AGENT_IDS.claude.slice(0, 8)}-other.jsonl`), readFileSync(paths.claude));
    const several = await findForeign(AGENT_IDS.claude.slice(0, 8)).catch((thrown: unknown) => thrown);
    // Each reference shown in the hint works as input.
    const lines = (several as { hint: string }).hint.split("\n").slice(1);
    const shown = await Promise.all(lines.map((line) => findForeign(line.trim().split("  ")[0] as string)));
    expect(new Set(shown.map((session) => session?.path)).size).toBe(3);
    const references = (await findPlaces()).map(({ reference }) => reference);
    expect(references).toEqual(expect.arrayContaining([second, paths.claude, `codex:${AGENT_IDS.codex}`]));
  });

  test("is never changed by looking for it", async () => {
    // What is learned about the files is kept in Bough's own folder.
    const others = () => fingerprint(home).filter((line) => !line.startsWith(".bough"));
    const before = others();
    await agentAndId("01a1de66");
    await agentAndId(`${paths.opencode}#${AGENT_IDS.opencode}`);
    await findPlaces();
    expect(others()).toEqual(before);
  });
});

describe("own sessions and those of other agents", () => {
  const own = (name: string): string => {
    const session = SessionManager.create("/home/dev/project");
    session.appendSessionInfo(name);
    session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
    session.close();
    return session.getSessionFile() as string;
  };
  const places = { cwd: "/home/dev/project" };

  test("Bough's own always wins", async () => {
    const file = own("Pick a number.");
    expect(await findSession("pick a number.", { places })).toEqual({ file });
  });

  test("files of pi and Bough outside pi's folder open as they are, even with a damaged header", async () => {
    const [torn, copy] = [join(tempFolder(), "torn.jsonl"), join(tempFolder(), "copy.jsonl")];
    cpSync(paths.pi, copy);
    writeFileSync(torn, '{"type":"message","id":"a","parentId":null,"timestamp":"","message":{"role":"user"}}\n');
    expect([
      await findSession(copy, { places }),
      await findSession(torn, { places }),
      await findForeign(copy),
      await findForeign(torn),
    ]).toEqual([{ file: copy }, { file: torn }, undefined, undefined]);
    expect(await findSession(paths.pi, { places })).toMatchObject({ file: paths.pi, foreign: { reference: paths.pi } });
  });

  test("for a caller that writes, another agent's session is refused with the way to import it", async () => {
    await expect(
      findSession(`claude-code:${AGENT_IDS.claude}#abcd`, { places, agents: "refuse" }),
    ).rejects.toMatchObject({
      code: "read-only",
      message: "That session belongs to Claude Code, and Bough does not modify it",
      hint: `Import it first: bough import claude-code:${AGENT_IDS.claude}`,
    });
    await expect(findSession(paths.codex, { places, agents: "refuse" })).rejects.toMatchObject({
      hint: `Import it first: bough import ${paths.codex}`,
    });
    await expect(findSession("nothing like it", { places, agents: "refuse" })).rejects.toMatchObject({
      code: "session-not-found",
    });
  });

  test("what a shell would take apart is quoted", () => {
    expect([shellWord("codex:01a1"), shellWord("it's here.jsonl")]).toEqual(["codex:01a1", "'it'\\''s here.jsonl'"]);
  });
});
