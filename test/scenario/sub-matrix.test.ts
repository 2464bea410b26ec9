/** What every subcommand has to do: succeed, speak JSON, refuse what is wrong, and leave quietly. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SUBCOMMANDS } from "@bough/program/cli/subcommand/subcommands.js";
import { SessionManager } from "@bough/session/session/index.js";
import { filesPlace } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { type FilesRoot, filesRoot } from "@bough/workbench/checkpoint/index.js";
import { describe, expect, test } from "vitest";
import { sampledCases } from "../support/sampled.js";
import { watchJson } from "../support/undefined-keys.js";
import { makePlace } from "./cli-support.js";
import { closeFolder, makeSubPlace, packedProgram, runPacked, runPiped, runSub, type SubPlace } from "./sub-support.js";

interface SubCase {
  /** Arguments that work in a fresh place. */
  readonly works: readonly string[];
  /** Has to be in what is printed. */
  readonly prints: string | RegExp;
  /** Fields of the JSON. */
  readonly fields: readonly string[];
  /** Arguments that name a session that is not there; undefined where none can be named. */
  readonly missing?: readonly string[];
  /** Arguments that read the folder of sessions; undefined where none is read. */
  readonly folder?: readonly string[];
}

const CASES: Readonly<Record<string, SubCase>> = {
  ls: { works: ["ls"], prints: "parser session", fields: ["sessions"], folder: ["ls"] },
  tree: {
    works: ["tree", "bough-demo"],
    prints: "@  you are here",
    fields: ["session", "rows"],
    missing: ["tree", "nowhere.jsonl"],
    folder: ["tree"],
  },
  show: {
    works: ["show", "bough-demo"],
    prints: "## Prompt\n\nWhat is in this folder?",
    fields: ["session", "entryId", "entries"],
    missing: ["show", "nowhere"],
    folder: ["show"],
  },
  search: {
    works: ["search", "tokenizer"],
    prints: /bough-demo#[0-9a-f]{12} {2}user/,
    fields: ["type"],
    missing: ["search", "tokenizer", "--in", "nowhere"],
    folder: ["search", "tokenizer"],
  },
  compare: {
    works: ["compare", "bough-demo##1", "bough-demo##2"],
    prints: "parted at",
    fields: ["session", "sharedId", "a", "b", "changed"],
    missing: ["compare", "nowhere##1", "nowhere##2"],
    folder: ["compare", "##1"],
  },
  stats: {
    works: ["stats", "bough-demo"],
    prints: "By model",
    fields: ["session", "path", "whole", "branches", "models", "days"],
    missing: ["stats", "nowhere"],
    folder: ["stats"],
  },
  usage: {
    works: ["usage"],
    prints: "By day",
    fields: ["by", "from", "to", "sessions", "total", "rows", "copies", "left", "problems"],
  },
  attempts: { works: ["attempts"], prints: "No attempts in this session.", fields: ["session", "attempts"] },
  diff: {
    works: ["diff", "file session#start"],
    prints: "+++ b/a.txt",
    fields: ["session", "root", "from", "to", "skipped", "unread", "files"],
    missing: ["diff", "nowhere"],
    folder: ["diff"],
  },
  "restore-files": {
    works: ["restore-files", "file session#start"],
    prints: "Restored: 0 files written, 1 deleted",
    fields: ["session", "entryId", "root", "plan", "dryRun", "outcome", "recordId"],
    missing: ["restore-files", "nowhere#x"],
    folder: ["restore-files", "#x"],
  },
  blame: { works: ["blame", "a.txt"], prints: "write a file", fields: ["root", "path", "unread", "lines"] },
  files: { works: ["files"], prints: "1 checkpoint, 1 file version", fields: ["stores"], folder: ["files"] },
  fork: {
    works: ["fork", "bough-demo#8915761d1b76"],
    prints: 'Copied the path before "How are lines split at the moment?"',
    fields: ["session", "from", "entries", "entryId", "prompt"],
    missing: ["fork", "nowhere#x"],
    folder: ["fork", "#x"],
  },
  clone: {
    works: ["clone", "bough-demo"],
    prints: "Copied the path to",
    fields: ["session", "from", "entries", "entryId"],
    missing: ["clone", "nowhere"],
    folder: ["clone"],
  },
  label: {
    works: ["label", "bough-demo#tokenizer"],
    prints: "tokenizer",
    fields: ["session", "entryId", "label"],
    missing: ["label", "nowhere#x", "name"],
    folder: ["label", "#@", "name"],
  },
  rename: {
    works: ["rename", "first-steps", "new name"],
    prints: 'first-steps renamed to "new name"',
    fields: ["session"],
    missing: ["rename", "nowhere", "name"],
    folder: ["rename", "first-steps", "name"],
  },
  archive: {
    works: ["archive", "first-steps", "--yes"],
    prints: "To undo: bough restore first-steps",
    fields: ["archived"],
    missing: ["archive", "nowhere", "--yes"],
    folder: ["archive", "first-steps", "--yes"],
  },
  restore: {
    works: ["restore", "first-steps"],
    prints: "Restored",
    fields: ["restored"],
    missing: ["restore", "nowhere"],
  },
  import: {
    works: ["import"],
    prints: "id\tagent\ttitle\t",
    fields: ["found", "elsewhere"],
    missing: ["import", "nowhere"],
  },
  handoff: {
    // Codex cannot store every entry, and losses need agreement.
    works: ["handoff", "codex", "bough-demo", "--yes"],
    prints: "To resume there: cd ",
    fields: ["session", "entryId", "agent", "file", "written", "sessionId", "records", "losses", "resume"],
    missing: ["handoff", "codex", "nowhere"],
    folder: ["handoff", "codex"],
  },
  tried: {
    works: ["tried", "tokenizer", "--all"],
    prints: "tokenizer",
    fields: ["loose", "unknown", "more", "attempts"],
  },
  store: { works: ["store"], prints: "No stores.", fields: ["stores"] },
  sync: { works: ["sync"], prints: /with home\./, fields: ["store", "project", "synced", "unchanged", "skipped"] },
  models: { works: ["models"], prints: "offline/rules", fields: ["prices", "models"] },
  agents: { works: ["agents"], prints: "claude", fields: ["agents"] },
  logout: { works: ["logout", "anthropic"], prints: "No key is saved", fields: ["provider", "removed"] },
  mcp: { works: ["mcp", "list"], prints: "No MCP servers.", fields: ["servers", "problems"] },
  install: { works: ["install"], prints: "Nothing to install", fields: ["installed"] },
  extensions: { works: ["extensions"], prints: "No extensions.", fields: ["extensions", "problems"] },
  export: {
    works: ["export", "bough-demo", "-o", "out.jsonl"],
    prints: "Wrote",
    fields: ["session", "file", "format", "scope", "bytes", "entries", "findings", "masked", "shortened", "leftOut"],
    missing: ["export", "nowhere"],
    folder: ["export"],
  },
  "export-branch": {
    works: ["export-branch", "bough-demo#tokenizer", "-o", "out.jsonl"],
    prints: "Wrote",
    fields: ["session", "file", "format", "scope", "bytes", "entries", "findings", "masked", "shortened", "leftOut"],
    missing: ["export-branch", "nowhere#x"],
    folder: ["export-branch", "#x"],
  },
  verify: {
    works: ["verify", "bough-demo"],
    prints: "no damage",
    fields: ["reports"],
    missing: ["verify", "nowhere.jsonl"],
    folder: ["verify"],
  },
  repair: {
    works: ["repair", "bough-demo"],
    prints: "Nothing to repair",
    fields: ["kind", "path", "before"],
    missing: ["repair", "nowhere.jsonl"],
    folder: ["repair", "bough-demo"],
  },
  doctor: { works: ["doctor"], prints: "No problems found.", fields: ["checks"] },
  completion: { works: ["completion", "bash"], prints: "complete ", fields: ["shell", "script"] },
};

/**
 * Need someone to talk to, and have it in tests of their own: acp.test.ts, models-doc.test.ts, sandbox-command.test.ts,
 * browser/serve.test.ts, attempts.test.ts.
 */
const WITH_OTHERS: readonly string[] = ["acp", "login", "sandbox", "serve", "try"];

/** A session that wrote a file, and recorded it. */
async function recordFiles({ cwd, env, sessions }: SubPlace): Promise<void> {
  const { store } = (await filesRoot(cwd, env.BOUGH_HOME as string)) as FilesRoot;
  const { session, say, step } = await filesPlace({ root: cwd, store, sessions });
  session.appendSessionInfo("file session");
  session.appendLabelChange(say("start"), "start");
  await step("write a file", { "a.txt": "a\n" });
  session.close();
}

async function prepared(name: string): Promise<SubPlace> {
  const place = makeSubPlace();
  if (["diff", "restore-files", "blame", "files"].includes(name)) await recordFiles(place);
  if (name === "sync") await runSub(place, ["store", "add", "home", join(place.cwd, "store")]);
  if (name === "restore") await runSub(place, ["archive", "first-steps", "--yes"]);
  return place;
}

test("every subcommand has a row in this matrix", () => {
  expect([...Object.keys(CASES), ...WITH_OTHERS].sort()).toEqual(SUBCOMMANDS.map(({ name }) => name).sort());
});

describe.each([...Object.keys(CASES), ...WITH_OTHERS])("bough %s", (name) => {
  test("has help with examples", async () => {
    const { code, stdout } = await runSub(makePlace(), [name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: bough ${name}\\b`));
    expect(stdout).toContain("\nExamples:\n");
  });

  test("refuses a flag it does not know, and names the one that comes close", async () => {
    const { code, stdout, stderr } = await runSub(makePlace(), [name, "--jsn"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`bough: Unknown flag --jsn; did you mean --json?\n  For usage, run: bough ${name} --help\n`);
  });
});

/** What takes a process of the packed program. Every command has one of them by default, and all with BOUGH_RUNS=all. */
const PROCESSES = ["works", "folder", "head -n 1", "works", "folder", "true"] as const;

describe.each(Object.entries(CASES))("bough %s", (name, { works, prints, fields, missing, folder }) => {
  const processes = sampledCases(PROCESSES, Object.keys(CASES).indexOf(name));
  const isPacked = processes.includes("works") || (folder === undefined && processes.includes("folder"));
  test(`works${isPacked ? " as packed" : ""}, and prints no colours into a pipe`, async () => {
    const { code, stdout, stderr } = await (isPacked ? runPacked : runSub)(await prepared(name), works);
    expect({ code, stderr: stderr.split("\n").filter((line) => line.startsWith("bough:")) }).toEqual({
      code: 0,
      stderr: [],
    });
    if (typeof prints === "string") expect(stdout).toContain(prints);
    else expect(stdout).toMatch(prints);
    expect(stdout).not.toContain("\x1b");
  });

  test("speaks JSON, in which no field was undefined", async () => {
    const json = watchJson();
    const { code, stdout } = await runSub(await prepared(name), [...works, "--json"]);
    expect(code).toBe(0);
    expect(json.undefinedKeys()).toEqual([]);
    const documents = name === "search" ? stdout.trim().split("\n") : [stdout];
    for (const text of documents)
      expect(Object.keys(JSON.parse(text) as object)).toEqual(expect.arrayContaining([...fields]));
  });

  // Commands without a session have none that could be missing.
  if (missing !== undefined) {
    test("says which session is not there, also in JSON", async () => {
      const place = makeSubPlace();
      const { code, stdout, stderr } = await runSub(place, [...missing, "--json"]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^bough: (?:Session not found(?: in the archive)?:|No session from another agent matches) nowhere/,
      );
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: "session-not-found", hint: expect.any(String) } });
    });
  }

  if (folder !== undefined && processes.includes("folder")) {
    test("says when the folder of sessions cannot be read", async () => {
      const place = makeSubPlace();
      closeFolder(place, place.sessions);
      const { code, stdout, stderr } = await runSub(place, folder, { user: "nobody" });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`bough: Cannot read the sessions folder: ${place.sessions}\n`);
    });
  }

  for (const reader of (["head -n 1", "true"] as const).filter((one) => processes.includes(one))) {
    test(`leaves quietly when the reader is ${reader}`, async () => {
      const place = await prepared(name);
      const { code, stdout, stderr } = await runPiped(place, works, reader);
      expect(code).toBe(0);
      expect(stdout.split("\n").length).toBeLessThanOrEqual(2);
      expect(stderr).not.toMatch(/EPIPE|^bough:|Error/m);
    });
  }
});

test("a session that two names could mean is not guessed", async () => {
  const place = makeSubPlace();
  await runSub(place, ["clone", "bough-demo", "--name", "twin"]);
  await runSub(place, ["clone", "bough-demo", "--name", "twin"]);
  const { code, stderr } = await runSub(place, ["show", "twin"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^bough: Several sessions match twin\n {2}Give more of the ID:\n {2}\S+ {2}twin\n {2}\S+ {2}twin\n$/,
  );
});

test("path, id, start of an id and name lead to the same session", async () => {
  const place = makeSubPlace();
  const ways = [place.demo, "bough-demo", "bough-d", "parser session", "Parser Session"];
  const ids: unknown[] = [];
  for (const way of ways) {
    const { stdout } = await runSub(place, ["tree", way, "--json"]);
    ids.push((JSON.parse(stdout) as { session: { id: string } }).session.id);
  }
  expect(ids).toEqual(ways.map(() => "bough-demo"));
});

test("`bough help ls` is `bough ls --help`, and both are in the packed program", async () => {
  const place = makeSubPlace();
  const { code, stdout } = await runPacked(place, ["help", "ls"]);
  expect([code, stdout]).toEqual([0, (await runPacked(place, ["ls", "--help"])).stdout]);
  expect(stdout).toBe((await runSub(place, ["ls", "--help"])).stdout);
});

test("what is nearly a command is refused, and -- makes a prompt of it", async () => {
  const place = makeSubPlace();
  const { code, stderr } = await runSub(place, ["serch", "x"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "bough: Unknown command serch; did you mean search?\n  To send it as a prompt, put it after --: bough -- serch x\n",
  });
  expect((await runSub(place, ["-p", "--", "ls", "what", "is", "in", "this", "folder?"])).code).toBe(0);
});

test("a word that is no command is named outside a terminal, where nothing is piped in", () => {
  const { cwd, env } = makeSubPlace();
  const { status, stderr } = spawnSync(process.execPath, [packedProgram(), "frobnicate"], {
    ...{ cwd, env, encoding: "utf8" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      "bough: Unknown command frobnicate\n  To send it as a prompt: bough -p frobnicate. For a list of commands: bough --help\n",
  });
});

test("Ctrl+C while it prints is exit code 130", async () => {
  const place = makeSubPlace();
  const session = SessionManager.open(place.recent);
  for (let i = 0; i < 40; i++) session.appendMessage({ role: "user", content: "words ".repeat(20_000), timestamp: i });
  session.close();
  const child = spawn(process.execPath, [packedProgram(), "show"], { cwd: place.cwd, env: place.env });
  // It waits for its reader now: a pipe holds less than there is to say.
  await once(child.stdout, "readable");
  child.kill("SIGINT");
  child.stdout.resume();
  expect(await once(child, "close")).toEqual([130, null]);
});

test("a home that is not there has no sessions, and that is not a failure", async () => {
  const place = makeSubPlace();
  const elsewhere = { ...place, env: { ...place.env, BOUGH_HOME: join(place.home, "none") } };
  const { code, stdout } = await runSub(elsewhere, ["ls", "--all", "--json"]);
  expect({ code, value: JSON.parse(stdout) }).toEqual({ code: 0, value: { sessions: [] } });
});

test("nothing that only looks changes a byte", async () => {
  const place = makeSubPlace();
  const before = readFileSync(place.demo);
  for (const name of ["tree", "show", "search", "compare", "stats", "verify", "repair", "label"]) {
    await runSub(place, CASES[name]?.works ?? []);
  }
  expect(readFileSync(place.demo).equals(before)).toBe(true);
});
