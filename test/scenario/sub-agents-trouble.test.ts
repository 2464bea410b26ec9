/** Other agents' sessions where something is wrong: damage, names nobody has, and Ctrl+C in the middle. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { verifySession } from "@bough/session/session/index.js";
import { Database } from "node-sqlite3-wasm";
import { describe, expect, test } from "vitest";
import { AGENT_IDS } from "../support/agents-home.js";
import { recordsIn } from "../support/interop-source.js";
import { sessionFiles } from "./cli-support.js";
import { type AgentsPlace, foreignFiles, makeAgentsPlace } from "./sub-agents-place.js";
import { closeFolder, packedProgram, runSub } from "./sub-support.js";

/** An unreadable record in a session of each agent, and one of a type nobody knows where types are many. */
function harm({ paths }: AgentsPlace): void {
  const broken = "{ this is no JSON";
  const unknown = (fields: object) => JSON.stringify({ timestamp: "2026-11-15T10:00:00.000Z", ...fields });
  for (const path of [paths.claude, paths.codex, paths.gemini, paths.pi]) appendFileSync(path, `${broken}\n`);
  appendFileSync(paths.claude, `${unknown({ type: "hologram", uuid: "5a0f1c2d-0000-4000-8000-000000000009" })}\n`);
  appendFileSync(paths.codex, `${unknown({ type: "hologram", payload: {} })}\n`);
  appendFileSync(paths.pi, `${unknown({ type: "hologram", id: "5a0f1c2d", parentId: null })}\n`);
  const messages = join(dirname(paths.opencodeSubagent), "..", "..", "message", AGENT_IDS.opencodeSubagent);
  writeFileSync(join(messages, readdirSync(messages).sort().at(-1) as string), broken);
  const database = new Database(paths.opencode);
  database.run("UPDATE part SET data = ? WHERE id = (SELECT max(id) FROM part WHERE session_id = ?)", [
    ...[broken, AGENT_IDS.opencode],
  ]);
  database.close();
}

const LARGE_ID = "5f2c0a52-6f0e-4a53-9a4e-2f1f0f1c7b12";

/** So large that nobody is through with it before a signal is heard. */
function largeTranscript(cwd: string): string {
  const text = "what was tried and why it failed ".repeat(2000);
  const lines: string[] = [];
  for (let n = 0; n < 1500; n++) {
    const parentUuid = n === 0 ? null : `uuid-${n - 1}`;
    const base = { parentUuid, uuid: `uuid-${n}`, isSidechain: false, cwd, sessionId: LARGE_ID, version: "2.1.325" };
    const timestamp = new Date(Date.UTC(2026, 10, 1) + n * 1000).toISOString();
    const message = { role: "user", content: n === 0 ? "a large one" : text };
    lines.push(JSON.stringify({ ...base, type: "user", timestamp, message }));
  }
  return `${lines.join("\n")}\n`;
}

describe("other agents' sessions where something is wrong", () => {
  test("places and files that may not be read are named, and not taken for empty or something else", async () => {
    const place = makeAgentsPlace();
    // Below a folder for each day.
    const rollouts = dirname(dirname(dirname(dirname(place.paths.codex))));
    closeFolder(place, rollouts);
    const listed = await runSub(place, ["ls", "--agent", "codex"], { user: "nobody" });
    expect(listed.stderr).toContain(rollouts);
    const imported = await runSub(place, ["import", place.paths.codex], { user: "nobody" });
    expect(imported.code).toBe(1);
    expect(imported.stderr).toContain(place.paths.codex);
    expect(imported.stderr).not.toContain("no transcript");
  });

  test("damage and unknown types are named with their place, and everything else comes along", async () => {
    const place = makeAgentsPlace();
    harm(place);
    const before = foreignFiles(place);
    const listed = await runSub(place, ["ls", "--all-agents", "--json"]);
    expect((JSON.parse(listed.stdout) as { sessions: object[] }).sessions).toHaveLength(12);
    const { code, stdout, stderr } = await runSub(place, ["import", "--all", "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("10 sessions imported.\n");
    const { claude, codex, gemini, pi } = place.paths;
    for (const path of [claude, codex, gemini, pi]) {
      const line = recordsIn(path).findIndex((record) => record.startsWith("{ this")) + 1;
      expect(stdout).toContain(`1 line could not be read: ${line} of ${basename(path)}\n`);
    }
    expect(stdout.match(/could not be read/g)).toHaveLength(6);
    expect(stdout.match(/Unknown to this version, kept as notes: (?:record type |entry type )?hologram/g)).toHaveLength(
      3,
    );
    const tree = await runSub(place, ["tree", `codex:${AGENT_IDS.codex}`]);
    expect([tree.code, tree.stdout]).toEqual([0, expect.stringContaining("Read notes.txt")]);
    expect(tree.stderr).toMatch(/^bough: 1 line could not be read: \d+ of rollout-/);
    expect(foreignFiles(place)).toEqual(before);
  });

  test("what does not exist and what makes no sense is reported in a sentence, with what to do", async () => {
    const place = makeAgentsPlace();
    const before = foreignFiles(place);
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["tree", "claude-code:nobody"], 1, /session not found/i],
      [["show", `${AGENT_IDS.codex}#nothing`], 1, /nothing/],
      [["tree", "01a1de66"], 1, /Give more of the ID:\n {2}codex:01a1de66-2f.*\n {2}codex:01a1de66-2a/],
      [["import", "nobody-has-this"], 1, /No session from another agent matches nobody-has-this\n {2}Give/],
      [["import", "--all"], 2, /--yes/],
      [["import", "--agent", "clade-code"], 2, /claude-code/],
      [["import", join(place.cwd, "notes.txt")], 1, /is not a transcript/],
      [["handoff"], 2, /agent/],
      [["handoff", "codx", AGENT_IDS.claude], 2, /did you mean codex\?/],
      [["handoff", "nobody", AGENT_IDS.claude], 2, /Unknown agent nobody\n.*claude-code, codex, opencode, gemini, pi/],
      [["handoff", "codex", "nobody-has-this"], 1, /session not found/i],
      [["ls", "--agent", "nobody"], 2, /nobody/],
    ];
    for (const [args, code, sentence] of cases) {
      const ended = await runSub(place, args);
      expect({ args, ...ended }).toEqual({ args, code, stdout: "", stderr: expect.stringMatching(sentence) });
      expect(ended.stderr).toMatch(/^bough: \S.*\n {2}\S/);
    }
    expect(sessionFiles(place)).toEqual([place.demo, place.recent].sort());
    expect(foreignFiles(place)).toEqual(before);
  });

  test("Ctrl+C while all are imported leaves whole sessions only, and the same command goes on", async () => {
    const place = makeAgentsPlace();
    const large = join(dirname(place.paths.claude), `${LARGE_ID}.jsonl`);
    writeFileSync(large, largeTranscript(place.cwd));
    // Between the first two and the others: those are done when the signal comes, and these are not begun.
    const then = Date.UTC(2026, 10, 15, 9, 6, 30) / 1000;
    utimesSync(large, then, then);
    const before = foreignFiles(place);
    const child = spawn(process.execPath, [packedProgram(), "import", "--all", "--yes"], {
      cwd: place.cwd,
      env: place.env,
    });
    let said = "";
    let interrupted = false;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (interrupted || said.split("Imported ").length < 3) return;
      interrupted = true;
      child.kill("SIGINT");
    });
    let remarks = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      remarks += text;
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect([code, remarks]).toEqual([
      130,
      expect.stringContaining("2 of 11 are done; run the same command to continue."),
    ]);
    const own = [place.demo, place.recent];
    const made = sessionFiles(place).filter((file) => !own.includes(file));
    expect(made).toHaveLength(2);
    for (const file of made) expect((await verifySession(file)).findings).toEqual([]);
    expect(readdirSync(place.sessions).filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
    expect(foreignFiles(place)).toEqual(before);
    const bytes = made.map((file) => readFileSync(file));
    rmSync(large);
    const again = await runSub(place, ["import", "--all", "--yes"]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("8 sessions imported, 2 without news.")]);
    expect(made.map((file) => readFileSync(file))).toEqual(bytes);
  });
});
