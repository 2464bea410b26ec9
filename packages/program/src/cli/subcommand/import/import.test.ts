/** `bough import` in a home with sessions of five agents. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { listAllSessions, SessionManager, sessionFolder, verifySession } from "@bough/session/session/index.js";
import { describe, expect, test, vi } from "vitest";
import { recordsIn, writeRecords } from "../../../../../../test/support/interop-source.js";
import { type AgentsPlace, agentsPlace, runCommand } from "./run-command.test-support.js";

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface ImportJson {
  readonly sessions: readonly {
    readonly source: { readonly agent: string; readonly id: string };
    readonly kind: string;
    readonly session: { readonly id: string; readonly path: string } | null;
    readonly turns: number;
    readonly branches: number;
    readonly folder: string;
    readonly report: { readonly records: number; readonly damaged: readonly { readonly lines: unknown }[] };
  }[];
  readonly failed: readonly { readonly error: { readonly code: string } }[];
  readonly empty: readonly object[];
}

async function importJson(place: AgentsPlace, ...args: string[]): Promise<ImportJson & { readonly code: number }> {
  const { code, stdout } = await runCommand(place, ["import", ...args, "--json"]);
  return { code, ...(JSON.parse(stdout) as ImportJson) };
}

/** All bytes of all transcripts. */
function contents({ transcripts }: AgentsPlace): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values(transcripts).map((path) => [path, `${statSync(path).mtimeMs} ${readFileSync(path, "utf8")}`]),
  );
}

function sessionFiles(place: AgentsPlace): string[] {
  const folder = sessionFolder(place.cwd);
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe("bough import without a session", () => {
  test("shows enough of an id to distinguish it from those of all agents", async () => {
    const place = agentsPlace();
    const { stdout: json } = await runCommand(place, ["import", "--agent", "codex", "--json"]);
    const { id } = (JSON.parse(json) as { found: { id: string }[] }).found[0] as { id: string };
    const twin = `${id.slice(0, 12)}ffff-7000-8000-000000000000`;
    const folder = join(place.home, ".pi", "agent", "sessions", "--elsewhere--");
    mkdirSync(folder, { recursive: true });
    const timestamp = "2026-11-15T08:00:00.000Z";
    const message = { role: "user", content: "hi", timestamp: 1 };
    writeRecords(join(folder, `2026-11-15T08-00-00-000Z_${twin}.jsonl`), [
      JSON.stringify({ type: "session", version: 3, id: twin, timestamp, cwd: "/elsewhere" }),
      JSON.stringify({ type: "message", id: "a1b2c3d4", parentId: null, timestamp, message }),
    ]);
    vi.spyOn(process, "stdout", "get").mockReturnValue(Object.assign(Object.create(process.stdout), { isTTY: true }));
    const { stdout } = await runCommand(place, ["import", "--agent", "codex"]);
    vi.restoreAllMocks();
    const shown = stripVTControlCharacters(stdout)
      .split("\n")
      .map((line) => line.split(" ")[0] as string);
    expect(shown.filter((start) => start.length >= 4 && id.startsWith(start))).toEqual([id.slice(0, 13)]);
  });

  test("lists what other agents did in this folder and imports nothing", async () => {
    const place = agentsPlace();
    const { code, stdout } = await runCommand(place, ["import", "--json"]);
    const { found, elsewhere } = JSON.parse(stdout) as {
      found: { agent: string; imported: null }[];
      elsewhere: number;
    };
    expect(code).toBe(0);
    expect(elsewhere).toBe(0);
    expect(found.map(({ agent }) => agent).sort()).toEqual([
      "claude-code",
      "claude-code",
      "codex",
      "gemini",
      "gemini",
      "opencode",
      "opencode",
      "opencode",
      "pi",
    ]);
    expect(found.every(({ imported }) => imported === null)).toBe(true);
    expect(sessionFiles(place)).toEqual([]);
  });

  test("counts what was done elsewhere, and narrows by agent", async () => {
    const place = agentsPlace();
    const other = join(place.home, "other");
    mkdirSync(other);
    const elsewhere = await runCommand({ cwd: other }, ["import", "--json"]);
    expect(JSON.parse(elsewhere.stdout)).toEqual({ elsewhere: 9, found: [] });
    const codex = await runCommand(place, ["import", "--agent", "codex"]);
    expect(codex.stdout.split("\n").map((line) => line.split("\t")[1])).toEqual(["agent", "codex", undefined]);
  });

  test("says which of them are imported already", async () => {
    const place = agentsPlace();
    await runCommand(place, ["import", "codex:01a1de66"]);
    const { stdout } = await runCommand(place, ["import", "--agent", "codex", "--json"]);
    const { found } = JSON.parse(stdout) as { found: { imported: string }[] };
    expect(found.map(({ imported }) => imported)).toEqual([
      join(sessionFolder(place.cwd), sessionFiles(place)[0] as string),
    ]);
  });
});

describe("bough import with a session", () => {
  test("says what came along and how to open it, then that nothing is new", async () => {
    const place = agentsPlace();
    const first = await runCommand(place, ["import", "bdeed71e"]);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(first.stdout.replace(UUID, "<id>")).toBe(
      "Imported 3 turns, 2 branches. 38 items had no equivalent and were kept as notes.\nOpen it with: bough --session <id>\n",
    );
    const [id] = UUID.exec(first.stdout) ?? [];
    UUID.lastIndex = 0;
    expect((await listAllSessions()).map((info) => [info.id, info.cwd])).toEqual([[id, place.cwd]]);
    const again = await runCommand(place, ["import", "bdeed71e"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^Nothing new since .+\.\nOpen it with: bough --session /);
  });

  test("adds what is new of a transcript that has grown", async () => {
    const place = agentsPlace();
    const transcript = place.transcripts.claude;
    const records = recordsIn(transcript);
    const half = records.findIndex((line) => line.includes("Triple it instead."));
    writeRecords(transcript, records.slice(0, half));
    await runCommand(place, ["import", transcript]);
    writeRecords(transcript, records);
    const dry = await runCommand(place, ["import", transcript, "--dry-run"]);
    expect(dry.stdout).toMatch(/^Would add 1 turn, 1 branch since .+\.\n\d+ records: /);
    const { stdout } = await runCommand(place, ["import", transcript]);
    expect(stdout).toMatch(/^Added 1 turn, 1 branch since .+\.\n/);
    expect(sessionFiles(place)).toHaveLength(1);
  });

  test("a rewritten transcript is reported, and what is here stays", async () => {
    const place = agentsPlace();
    const transcript = place.transcripts.claude;
    const { sessions } = await importJson(place, transcript);
    const before = readFileSync(sessions[0]?.session?.path as string);
    writeFileSync(transcript, readFileSync(transcript, "utf8").replaceAll("Pick a number.", "Pick any number."));
    const { stdout } = await runCommand(place, ["import", transcript]);
    expect(stdout).toContain(
      "The source was rewritten since the last import; 4 entries would now be converted differently and were kept.",
    );
    expect(
      readFileSync(sessions[0]?.session?.path as string)
        .subarray(0, before.length)
        .equals(before),
    ).toBe(true);
  });

  test("damage is reported with its lines, and the rest is imported", async () => {
    const place = agentsPlace();
    const transcript = place.transcripts.claude;
    const records = recordsIn(transcript);
    writeRecords(transcript, [...records.slice(0, 4), "{ not json", ...records.slice(4)]);
    appendFileSync(transcript, '{"type":"user","torn');
    const { code, stdout } = await runCommand(place, ["import", transcript]);
    expect(code).toBe(0);
    expect(stdout).toContain("Imported 3 turns, 2 branches.");
    const last = records.length + 2;
    expect(stdout).toContain(`2 lines could not be read: 5, ${last} of bdeed71e-df0a-497d-9afc-2cd57bdd9943.jsonl\n`);
  });

  test("--dry-run and --report print what becomes of records, and a dry run leaves no trace", async () => {
    const place = agentsPlace();
    const before = contents(place);
    const dry = await runCommand(place, ["import", "codex:01a1de66", "--dry-run", "--report"]);
    expect(dry.stdout).toMatch(/^Would import 1 turn, 1 branch\. .*\n\d+ records: \d+ kept, /);
    expect(dry.stdout).toMatch(/\nkept: \d+ .*, line \d/);
    expect(dry.stdout).not.toContain("Open it with");
    expect(sessionFiles(place)).toEqual([]);
    expect(contents(place)).toEqual(before);
  });

  test("a missing folder is reported, and the session goes to that folder's sessions", async () => {
    const place = agentsPlace();
    rmSync(place.cwd, { recursive: true });
    const { code, stdout } = await runCommand({ cwd: place.home }, ["import", "codex:01a1de66"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Its folder no longer exists: ${place.cwd}\n`);
    expect(sessionFiles(place)).toHaveLength(1);
  });

  test("--session-dir is where it goes, and how it is opened", async () => {
    const place = agentsPlace();
    const folder = join(place.home, "my sessions");
    const { stdout } = await runCommand(place, ["import", "codex:01a1de66", "--session-dir", folder]);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(stdout.trimEnd().endsWith(`--session-dir '${folder}'`)).toBe(true);
  });

  test("an unknown name changes nothing, whatever else was named", async () => {
    const place = agentsPlace();
    const { code, stderr } = await runCommand(place, ["import", "codex:01a1de66", "no-such-thing"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bough: No session from another agent matches no-such-thing\n {2}Give a transcript's path/);
    expect(sessionFiles(place)).toEqual([]);
  });

  test("a file that is not a transcript, and a session of Bough itself, are refused", async () => {
    const place = agentsPlace();
    const text = join(place.cwd, "notes.txt");
    writeFileSync(text, "buy milk\n");
    expect(await runCommand(place, ["import", text])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not a transcript"),
    });
    const own = SessionManager.create(place.cwd);
    own.appendMessage({ role: "user", content: "Mine.", timestamp: 0 });
    own.close();
    const { code, stderr } = await runCommand(place, ["import", own.getSessionFile() as string]);
    expect(code).toBe(2);
    expect(stderr).toContain("That is already a Bough session");
  });

  test("a transcript in which nothing was said makes no session", async () => {
    const place = agentsPlace();
    const transcript = place.transcripts.claude;
    const notes = recordsIn(transcript).filter((line) => !/"type":"(user|assistant)"/.test(line));
    writeRecords(transcript, notes);
    const { code, empty } = await importJson(place, transcript);
    expect([code, empty.length]).toEqual([1, 1]);
    expect(sessionFiles(place)).toEqual([]);
  });

  test("flags that choose sessions do not go with names", async () => {
    const place = agentsPlace();
    expect((await runCommand(place, ["import", "x", "--all"])).code).toBe(2);
    expect((await runCommand(place, ["import", "--all", "--here"])).code).toBe(2);
    expect((await runCommand(place, ["import", "--agent", "claude"])).stderr).toContain("Did you mean claude-code?");
  });
});

describe("bough import --all", () => {
  test("imports nothing if it cannot ask", async () => {
    const place = agentsPlace();
    const { code, stderr } = await runCommand(place, ["import", "--all"]);
    expect([code, stderr]).toEqual([
      2,
      "bough: Cannot ask for confirmation: not a terminal\n  Pass --yes to confirm.\n",
    ]);
    expect(sessionFiles(place)).toEqual([]);
  });

  test("imports every session of five agents as a sound session, and only reads the transcripts", async () => {
    const place = agentsPlace();
    const before = contents(place);
    const { code, sessions, failed, empty } = await importJson(place, "--all", "--yes");
    expect([code, failed, empty]).toEqual([0, [], []]);
    expect(
      sessions.map(({ source, kind, turns, branches }) => `${source.agent} ${kind} ${turns} ${branches}`).sort(),
    ).toEqual([
      "claude-code imported 1 2",
      "claude-code imported 3 2",
      "codex imported 1 1",
      "gemini imported 1 1",
      "gemini imported 4 1",
      "opencode imported 1 1",
      "opencode imported 1 2",
      "opencode imported 4 1",
      "pi imported 4 3",
    ]);
    for (const { session, folder, report } of sessions) {
      const { ok } = await verifySession(session?.path as string);
      expect([ok, folder, report.damaged]).toEqual([true, "there", []]);
    }
    expect(contents(place)).toEqual(before);
    const again = await runCommand(place, ["import", "--here", "--yes"]);
    expect(again).toEqual({ code: 0, stdout: "9 sessions without news.\n", stderr: "" });
  });

  test("one that fails does not stop the others, and is named", async () => {
    const place = agentsPlace();
    const folder = sessionFolder(place.cwd);
    const [codex] = (await importJson(place, "codex:01a1de66")).sessions;
    const file = codex?.session?.path as string;
    // If a folder replaced the imported session, it cannot be opened.
    rmSync(file);
    mkdirSync(file);
    const { code, stdout, stderr } = await runCommand(place, ["import", "--all", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bough: "Read notes.txt, .*" \(Codex\) was not imported: /);
    expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
      "8 sessions imported, 1 failed.",
      "Open one with: bough --session <id>",
    ]);
    expect(stdout).toMatch(
      /^beaa077a {2}"Let a helper look at src\." \(Claude Code\)\n {2}Imported 1 turn, 2 branches\./m,
    );
    expect(readdirSync(folder)).toHaveLength(9);
  });

  test("a stopped import leaves nothing half-made, and says how far it came", async () => {
    const place = agentsPlace();
    const stop = new AbortController();
    stop.abort();
    const { code, stderr } = await runCommand(place, ["import", "codex:01a1de66"], { signal: stop.signal });
    expect(code).toBe(1);
    expect(stderr).not.toBe("");
    expect(sessionFiles(place)).toEqual([]);
  });
});

test("verify says where another agent's session is looked through", async () => {
  const place = agentsPlace();
  const { code, stderr } = await runCommand(place, ["verify", place.transcripts.claude]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `bough: That session belongs to Claude Code; only Bough sessions can be verified\n  To see what is readable: bough import --dry-run --report ${place.transcripts.claude}\n`,
  );
});

describe("what cannot be imported for reasons of the machine", () => {
  test.skipIf(process.getuid?.() === 0)("a file that may not be read is not taken for something else", async () => {
    const place = agentsPlace();
    chmodSync(place.transcripts.claude, 0);
    expect(await runCommand(place, ["import", place.transcripts.claude])).toMatchObject({
      code: 1,
      stderr: `bough: Could not open ${place.transcripts.claude}\n  Check the permissions of the file and its folder.\n`,
    });
  });

  test("a folder that is not writable is reported with what to do", async () => {
    const place = agentsPlace();
    mkdirSync(join(place.home, "bough"));
    writeFileSync(join(place.home, "bough", "sessions"), "");
    const { code, stderr } = await runCommand(place, ["import", place.transcripts.claude]);
    expect(code).toBe(1);
    expect(stderr).toContain("was not imported: Could not write to ");
    expect(stderr).toMatch(/\n {2}Check that the folder is writable\.\n$/);
  });
});
