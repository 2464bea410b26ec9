/** Every command that reads a session, on the sessions of other agents where they are. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT_IDS, type AgentsHome, layOutAgents } from "../support/agents-home.js";
import { fingerprint } from "../support/fingerprint.js";
import { type Ended, makePlace, type Place, Running } from "./cli-support.js";
import { runHere } from "./run-here.js";

interface ForeignPlace extends Place {
  readonly paths: AgentsHome;
  /** The user's home. */
  readonly user: string;
  /** Where conversions go. */
  readonly temporary: string;
}

const AGENT_FOLDERS = [".claude", ".codex", ".gemini", ".local", ".pi"] as const;

function makeForeignPlace(): ForeignPlace {
  const place = makePlace();
  const user = place.env.HOME as string;
  const temporary = join(user, "tmp");
  mkdirSync(temporary);
  const paths = layOutAgents({ home: user, opencode: "database" });
  return { ...place, env: { ...place.env, TMPDIR: temporary, LANG: "C.UTF-8" }, paths, user, temporary };
}

const sources = (place: ForeignPlace) => AGENT_FOLDERS.flatMap((folder) => fingerprint(join(place.user, folder)));

/** Runs a command that has to work, and answers what it printed. */
async function printed(place: Place, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(place, args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

const AGENTS = ["claude-code", "codex", "gemini", "opencode", "pi"] as const;
const ID_OF = { ...AGENT_IDS, "claude-code": AGENT_IDS.claude };

describe("other agents' sessions, opened read-only", () => {
  test.each(AGENTS)("tree, show and stats of %s name its agent, and change nothing", async (agent) => {
    const place = makeForeignPlace();
    const before = sources(place);
    const id = ID_OF[agent];
    const path = agent === "claude-code" ? place.paths.claude : place.paths[agent];
    for (const [command, reference] of Object.entries({ tree: id, show: id.slice(0, 14), stats: `${agent}:${id}` })) {
      const { session } = JSON.parse(await printed(place, command, reference, "--json")) as { session: object };
      expect(session).toMatchObject({ agent, id, path });
    }
    expect(await printed(place, "show", id)).toMatch(/^# .+\n.*## Prompt\n.*## Answer\n/s);
    expect(sources(place)).toEqual(before);
    expect(readdirSync(place.temporary)).toEqual([]);
  });

  test("branches, sub-agents and entries are addressed as in own sessions", async () => {
    const place = makeForeignPlace();
    const tree = await printed(place, "tree", place.paths.claude, "--width", "60");
    expect(
      tree
        .split("\n")
        .slice(2, 5)
        .map((line) => line.trimEnd().replace(/ +\S+$/, "")),
    ).toEqual(["   ●  Pick a number.", "   ├─▸ #1  Double it.  1 turn", "   ●  Triple it instead."]);
    expect(await printed(place, "show", `${place.paths.claude}##1`, "--last", "1")).toContain("Fourteen.");
    const compared = await printed(place, "compare", `claude-code:${AGENT_IDS.claude}##1`, "##2", "--json");
    expect(JSON.parse(compared)).toMatchObject({
      session: { agent: "claude-code" },
      a: { branch: 1 },
      b: { branch: 2 },
    });
    expect(await printed(place, "compare", `${AGENT_IDS.claude}##1`)).toContain("#2 ends: Twenty-one.");
    expect(await printed(place, "show", "700a8432##2")).toContain("List what is in src.");
  });

  test("the address of a hit leads to it", async () => {
    const place = makeForeignPlace();
    const lines = (await printed(place, "search", "--all-agents", "--role", "user", "--json", "notes.txt"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; agent?: string; address: string; path: string });
    expect(lines.map(({ agent, type }) => agent ?? type)).toEqual(["gemini", "codex", "opencode", "end"]);
    expect(lines.slice(0, -1).map(({ path }) => path)).toEqual([
      ...[place.paths.gemini, place.paths.codex, place.paths.opencode],
    ]);
    for (const { address } of lines.slice(0, -1)) {
      expect(await printed(place, "show", address)).toContain("Read notes.txt, then count its lines");
      expect(await printed(place, "tree", address)).toContain("❯");
    }
    expect(await printed(place, "search", "notes.txt", "--in", `codex:${AGENT_IDS.codex}`)).toContain(
      "  Codex  01a1de66",
    );
    expect(await runHere(place, ["search", "--all-agents", "unheard-of"])).toEqual({
      ...{ code: 1, stdout: "" },
      stderr: "Nothing in any agent's sessions matches unheard-of (9 searched).\n",
    });
  });

  test("a search for nothing is wrong usage", async () => {
    const place = makePlace();
    for (const words of [[""], ['""'], ["", " "]]) {
      const { code, stderr } = await runHere(place, ["search", ...words]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("Nothing to search for")]);
    }
  });

  test("export and export-branch take what was said, and not the records it was made of", async () => {
    const place = makeForeignPlace();
    const before = sources(place);
    const written = await runHere(place, ["export", "bdeed71e", "--scope", "all", "-o", "all.jsonl"]);
    expect([written.code, written.stdout]).toEqual([0, expect.stringContaining("original records from another agent")]);
    const exported = readFileSync(join(place.cwd, "all.jsonl"), "utf8");
    expect(exported).toContain("Triple it instead.");
    expect(exported).not.toMatch(/parentUuid|"record"|sha256/);
    expect(await printed(place, "tree", join(place.cwd, "all.jsonl"))).toContain("#1  Double it.");
    const branch = await runHere(place, ["export-branch", "bdeed71e##1", "-o", "branch.jsonl"]);
    expect(branch.code).toBe(0);
    const page = await runHere(place, ["export", `codex:${AGENT_IDS.codex}`, "-o", "codex.html", "--json"]);
    expect(JSON.parse(page.stdout)).toMatchObject({ session: { agent: "codex", path: place.paths.codex } });
    const itself = await runHere(place, ["export", "bdeed71e", "-f", "jsonl", "-o", place.paths.claude, "--force"]);
    expect([itself.code, itself.stderr]).toEqual([1, expect.stringContaining("is the session itself")]);
    expect(sources(place)).toEqual(before);
    expect(readdirSync(place.temporary)).toEqual([]);
  });

  test("what cannot be read is told, and everything else is shown", async () => {
    const place = makeForeignPlace();
    appendFileSync(place.paths.claude, '{ "type": "user", no json\n');
    const { code, stdout, stderr } = await runHere(place, ["tree", "bdeed71e"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Triple it instead.")]);
    expect(stderr).toMatch(
      /^bough: 1 line could not be read: 45 of .*\n {2}Everything else was read\. For details, run: bough import --dry-run --report claude-code:bdeed71e/,
    );
  });

  test("commands that write refuse them and say how to import", async () => {
    const place = makeForeignPlace();
    const before = sources(place);
    const refused = async (...args: readonly string[]) => {
      const { code, stderr }: Ended = await runHere(place, args);
      return [code, stderr.split("\n")[1]?.trim()];
    };
    const how = `Import it first: bough import claude-code:${AGENT_IDS.claude}`;
    for (const args of [
      ["label", "bdeed71e#@", "good"],
      ["rename", "bdeed71e", "good"],
      ["fork", "bdeed71e"],
      ["archive", "bdeed71e", "--yes"],
      ["repair", "bdeed71e"],
      ["-p", "--session", "bdeed71e", "go on"],
      ["-p", "--fork", "bdeed71e", "go on"],
    ]) {
      expect([args[0], ...(await refused(...args))]).toEqual([args[0], 1, how]);
    }
    const look = `To see what is readable: bough import --dry-run --report claude-code:${AGENT_IDS.claude}`;
    expect(await refused("verify", "bdeed71e")).toEqual([1, look]);
    expect(sources(place)).toEqual(before);
  });

  test("Ctrl+C in the middle of a search leaves nothing behind", async () => {
    const place = makeForeignPlace();
    const running = new Running(place, ["search", "--all-agents", "--json", "e"]);
    await running.printed('"type":"hit"');
    running.child.kill("SIGINT");
    const { code } = await running.ended;
    // It may have been over by then.
    expect([0, 130]).toContain(code);
    expect(readdirSync(place.temporary)).toEqual([]);
  });
});
