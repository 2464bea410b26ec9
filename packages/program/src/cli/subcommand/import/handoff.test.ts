/** `bough handoff` to every agent, from Bough's own sessions and from other agents'. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { foreignSessionAt } from "@bough/workbench/interop/index.js";
import { describe, expect, test } from "vitest";
import { type AgentsPlace, agentsPlace, runCommand } from "./run-command.test-support.js";

interface HandoffJson {
  readonly file: string;
  readonly written: boolean;
  readonly sessionId: string;
  readonly entryId: string;
  readonly records: number;
  readonly losses: readonly { readonly what: string }[];
  readonly resume: {
    readonly command: readonly string[];
    readonly before?: readonly string[];
    readonly cwd: string;
    readonly shell: string;
  };
}

async function handoffJson(place: AgentsPlace, ...args: string[]): Promise<HandoffJson> {
  const { stdout } = await runCommand(place, ["handoff", ...args, "--json", "--yes"]);
  return JSON.parse(stdout) as HandoffJson;
}

function ownSession({ cwd }: AgentsPlace): { readonly first: string; readonly session: SessionManager } {
  const session = SessionManager.create(cwd);
  const first = session.appendMessage({ role: "user", content: "Where do we begin?", timestamp: 0 });
  session.appendLabelChange(first, "start");
  session.appendMessage({ role: "user", content: "And then?", timestamp: 0 });
  return { first, session };
}

describe("bough handoff", () => {
  test.each([
    ["claude-code", ["claude", "--resume"]],
    ["codex", ["codex", "resume"]],
    ["pi", ["pi", "--session"]],
    ["gemini", ["gemini", "--resume"]],
    ["opencode", ["opencode", "--session"]],
  ])("writes the path where %s finds it, and says how to resume it", async (agent, command) => {
    const place = agentsPlace();
    ownSession(place).session.close();
    const made = await handoffJson(place, agent);
    expect(made.written).toBe(true);
    expect(made.resume.command.slice(0, 2)).toEqual(command);
    const { before, command: resumed } = made.resume;
    const steps = [`cd ${place.cwd}`, ...(before === undefined ? [] : [before.join(" ")]), resumed.join(" ")];
    expect(made.resume).toMatchObject({ cwd: place.cwd, shell: steps.join(" && ") });
    expect(before).toEqual(agent === "opencode" ? ["opencode", "import", made.file] : undefined);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    const text = readFileSync(made.file, "utf8");
    expect([text.includes("Where do we begin?"), text.includes("And then?")]).toEqual([true, true]);
    const found = await foreignSessionAt(made.file);
    expect([found.agent, found.id, found.cwd]).toEqual([agent, made.sessionId, place.cwd]);
  });

  test("with an entry it is the path to that entry", async () => {
    const place = agentsPlace();
    const { first, session } = ownSession(place);
    session.close();
    const made = await handoffJson(place, "codex", "#start");
    expect(made.entryId).toBe(first);
    const text = readFileSync(made.file, "utf8");
    expect([text.includes("Where do we begin?"), text.includes("And then?")]).toEqual([true, false]);
  });

  test.each([
    ["claude-code", "codex:01a1de66"],
    ["codex", "opencode:ses_e2190c774"],
    ["pi", "gemini:894c528a"],
    ["codex", "claude-code:700a8432"],
    ["claude-code", "pi:01a1de67"],
    ["gemini", "codex:01a1de66"],
    ["opencode", "claude-code:700a8432"],
  ])("hands another agent's session on to %s: %s", async (agent, reference) => {
    const place = agentsPlace();
    const made = await handoffJson(place, agent, reference);
    expect(made.written).toBe(true);
    expect((await foreignSessionAt(made.file)).agent).toBe(agent);
    expect(existsSync(join(place.home, "bough", "sessions"))).toBe(false);
  });

  test("what the target cannot hold is listed before, in kinds, and every entry of it with --report", async () => {
    const place = agentsPlace();
    const { session } = ownSession(place);
    session.appendModelChange("acme", "one");
    session.appendModelChange("acme", "two");
    session.appendMessage({ role: "user", content: "Go on.", timestamp: 0 });
    session.close();
    const short = await runCommand(place, ["handoff", "codex", "--dry-run"]);
    expect(short.stderr).toContain("Codex cannot store ");
    expect(short.stderr).toContain("  2 settings changes: not written; Codex uses its own settings\n");
    expect(short.stdout).toMatch(/^Would write \d+ records for Codex to /);
    const long = await runCommand(place, ["handoff", "codex", "--dry-run", "--report"]);
    const { losses } = await handoffJson(place, "codex", "--dry-run");
    expect(long.stderr.split("\n").length).toBe(short.stderr.split("\n").length + losses.length);
  });

  test("what the target cannot store needs --yes if Bough cannot ask; without it, nothing is written", async () => {
    const place = agentsPlace();
    ownSession(place).session.close();
    const rollouts = () => readdirSync(join(place.home, ".codex", "sessions"), { recursive: true }).length;
    const before = rollouts();
    const refused = await runCommand(place, ["handoff", "codex"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("a label: not written; the model never saw it\n");
    expect(refused.stderr).toMatch(/bough: Codex cannot store 1 entry as it is\n {2}Nothing was written. Pass --yes/);
    const json = await runCommand(place, ["handoff", "codex", "--json"]);
    expect([json.code, rollouts()]).toEqual([1, before]);
    expect(json).toMatchObject({ stdout: "", stderr: expect.stringContaining("Nothing was written. Pass --yes") });
    const agreed = await runCommand(place, ["handoff", "codex", "--yes"]);
    expect(agreed.code).toBe(0);
    expect(rollouts()).toBeGreaterThan(before);
  });

  test("what the target can hold needs no agreement", async () => {
    const place = agentsPlace();
    const session = SessionManager.create(place.cwd);
    session.appendMessage({ role: "user", content: "Where do we begin?", timestamp: 0 });
    session.close();
    expect((await runCommand(place, ["handoff", "codex"])).code).toBe(0);
  });

  test("instructions of another agent are left out without a question, and --report lists them", async () => {
    const place = agentsPlace();
    const { stdout, stderr } = await runCommand(place, ["handoff", "pi", "gemini:894c528a", "--dry-run", "--report"]);
    expect(stdout).toContain("Would write ");
    expect(stderr).toMatch(/Left out:\n {2}instructions of Gemini CLI[^\n]*: not written; pi has its own\n/);
  });

  test("a dry run writes nothing", async () => {
    const place = agentsPlace();
    ownSession(place).session.close();
    const { file, written } = await handoffJson(place, "claude-code", "--dry-run");
    expect([written, existsSync(file)]).toEqual([false, false]);
  });

  test("--to says where it is resumed, quoted for a shell", async () => {
    const place = agentsPlace();
    ownSession(place).session.close();
    const folder = join(place.home, "it's here");
    mkdirSync(folder);
    const { stdout } = await runCommand(place, ["handoff", "codex", "--to", folder, "--yes"]);
    expect(stdout).toContain(`To resume there: cd '${folder.replace("'", "'\\''")}' && codex resume `);
    expect((await runCommand(place, ["handoff", "codex", "--to", join(place.home, "nowhere")])).code).toBe(2);
  });

  test("if the session's folder is gone, --to is required and nothing is written", async () => {
    const place = agentsPlace();
    const { session } = ownSession(place);
    session.close();
    rmSync(place.cwd, { recursive: true });
    const args = ["handoff", "codex", session.getSessionFile() as string];
    const refused = await runCommand({ cwd: place.home }, args);
    expect(refused).toMatchObject({
      code: 1,
      stderr: `bough: The session's working directory no longer exists: ${place.cwd}\n  Pass the folder to resume in with --to <folder>.\n`,
    });
    expect((await runCommand({ cwd: place.home }, [...args, "--to", place.home, "--yes"])).code).toBe(0);
  });

  test("a wrong name is reported with the closest one", async () => {
    const place = agentsPlace();
    const said = async (agent: string) => {
      const { code, stderr } = await runCommand(place, ["handoff", agent]);
      return [code, stderr.split("\n")[0]];
    };
    expect(await said("claud")).toEqual([2, "bough: Unknown agent claud; did you mean claude-code?"]);
    expect(await said("codx")).toEqual([2, "bough: Unknown agent codx; did you mean codex?"]);
    expect(await said("gemni")).toEqual([2, "bough: Unknown agent gemni; did you mean gemini?"]);
  });

  test("an empty session cannot be handed over", async () => {
    const place = agentsPlace();
    const file = join(place.home, "empty.jsonl");
    const timestamp = "2026-11-15T08:00:00.000Z";
    const header = { type: "session", version: 3, id: "empty", timestamp, cwd: place.cwd };
    const name = { type: "session_info", id: "a1b2c3d4", parentId: null, timestamp, name: "empty" };
    writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(name)}\n`);
    expect(await runCommand(place, ["handoff", "codex", file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no conversation on this path"),
    });
  });
});
