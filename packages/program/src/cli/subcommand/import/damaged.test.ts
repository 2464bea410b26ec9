/** Other agents' sessions that exist but cannot be read. */
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENT_NAMES, type AgentName } from "@bough/workbench/interop/index.js";
import { describe, expect, test } from "vitest";
import { type ExportedSession, storeInDatabase } from "../../../../../../test/support/opencode-home.js";
import { sampledCases } from "../../../../../../test/support/sampled.js";
import { runZstd } from "../../../../../../test/support/stored-zstd.js";
import { agentsPlace, runCommand } from "./run-command.test-support.js";

const PAGE = 4096;
const THREAD = "0196aaaa-0000-7000-8000-00000000000a";

function write(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const SAMPLES = fileURLToPath(new URL("../../../../../../test/fixtures/interop/opencode", import.meta.url));

const exported = (id: string) => JSON.parse(readFileSync(join(SAMPLES, `${id}.json`), "utf8")) as ExportedSession;

function overwrite(path: string, bytes: Buffer, at: number): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** One of each kind of damage, named as in this file. */
function damage(home: string, cwd: string) {
  const codex = write(
    join(home, `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${THREAD}.jsonl`),
    '{"timestamp":"2026-03-04T10:00:00.000Z","type":"session_m',
  );
  const claude = write(
    join(home, `.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}/${THREAD}.jsonl`),
    "\u0000\u0000\u0000\u0000\n\u0000\u0000\n",
  );
  const gemini = write(
    join(home, ".gemini/tmp/project/chats/session-2026-03-04T10-00-old.json"),
    '{"sessionId":"old","projectHash":"x","messages":[{"id":"1","type":"user","content":"Hel',
  );
  const opencode = join(home, ".local/share/opencode/opencode.db");
  storeInDatabase([exported("ses_e2193c7edffehRwYnlS0oYv7uT")], opencode);
  overwrite(opencode, Buffer.alloc(statSync(opencode).size - 100, 0x7a), 100);
  return { codex, claude, gemini, opencode };
}

function place() {
  const made = agentsPlace();
  return { ...made, damaged: damage(made.home, made.cwd) };
}

/** The commands that name a session: by default one for each agent, another in each test. */
function namedIn(path: string, number: number): readonly (readonly string[])[] {
  const commands = [
    ["show", path],
    ["import", path],
    ["handoff", "codex", path],
    ["search", "--in", path, "x"],
  ];
  return sampledCases(commands, number);
}

describe("damaged sessions of other agents", () => {
  test("ls lists them with path and reason", async () => {
    const made = place();
    const { code, stderr, stdout } = await runCommand(made, ["ls", "--all-agents", "--json"]);
    expect(code).toBe(0);
    const { sessions } = JSON.parse(stdout) as { sessions: { path: string; name: string; problem?: object }[] };
    const listed = new Map(
      sessions.flatMap(({ path, name, problem }) => (problem === undefined ? [] : [[path, name]])),
    );
    expect([...listed.keys()].sort()).toEqual(Object.values(made.damaged).sort());
    expect(listed.get(made.damaged.codex)).toBe("(damaged: its first line is cut off)");
    expect(listed.get(made.damaged.claude)).toBe("(damaged: it has no readable record)");
    expect(listed.get(made.damaged.gemini)).toBe("(damaged: it is cut off)");
    expect(listed.get(made.damaged.opencode)).toMatch(/^\(damaged: the database cannot be read/);
    for (const path of Object.values(made.damaged)) expect(stderr).toContain(`  ${path} (`);
  });

  test("search names each that it could not look into", async () => {
    const made = place();
    const { stderr } = await runCommand(made, ["search", "--all-agents", "notes.txt"]);
    for (const path of Object.values(made.damaged)) expect(stderr).toContain(`${path} could not be searched: `);
  });

  test("import --all imports the others, names each, and fails", async () => {
    const made = place();
    const { code, stdout } = await runCommand(made, ["import", "--all", "--yes", "--json"]);
    const { sessions, failed } = JSON.parse(stdout) as { sessions: object[]; failed: { source: { path: string } }[] };
    expect([code, sessions.length > 4]).toEqual([1, true]);
    expect(failed.map(({ source }) => source.path).sort()).toEqual(Object.values(made.damaged).sort());
  });

  test.each(["codex", "claude", "gemini", "opencode"] as const)(
    "named explicitly, they exit with 3: %s",
    async (agent) => {
      const made = place();
      const path = made.damaged[agent];
      for (const command of namedIn(path, ["codex", "claude", "gemini", "opencode"].indexOf(agent))) {
        const { code, stderr } = await runCommand(made, command);
        expect([command[0], code]).toEqual([command[0], 3]);
        expect(stderr).toContain(`${path} is damaged. `);
        expect(stderr).not.toMatch(/SQLite|not a transcript/);
      }
    },
  );

  test("a database loses the sessions whose pages are damaged, and no others", async () => {
    const made = agentsPlace();
    const [whole, torn] = ["ses_e2193c7edffehRwYnlS0oYv7uT", "ses_e21920d10ffebUOrxaAZpxZ9YJ"] as const;
    const path = join(made.home, ".local/share/opencode/opencode.db");
    storeInDatabase([exported(whole), exported(torn)], path);
    const bytes = readFileSync(path);
    const pages = Array.from({ length: bytes.length / PAGE }, (_, at) => at * PAGE);
    const own = pages.filter((at) => bytes.subarray(at, at + PAGE).includes(torn));
    const apart = own.filter((at) => !bytes.subarray(at, at + PAGE).includes(whole));
    expect(apart).not.toEqual([]);
    for (const at of apart) overwrite(path, Buffer.alloc(PAGE), at);
    const { stdout } = await runCommand(made, ["ls", "--all-agents", "--agent", "opencode", "--json"]);
    expect((JSON.parse(stdout) as { sessions: { id: string }[] }).sessions.map(({ id }) => id)).toContain(whole);
    expect((await runCommand(made, ["show", `opencode:${whole}`])).code).toBe(0);
    const { code, stderr } = await runCommand(made, ["show", `${path}#${torn}`]);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`${path} is damaged. The database cannot be read`)]);
  });

  test("path#id names a session also where the database holds no other", async () => {
    const made = agentsPlace();
    const id = "ses_e2193c7edffehRwYnlS0oYv7uT";
    const path = join(made.home, ".local/share/opencode/opencode.db");
    storeInDatabase([exported(id)], path);
    for (const command of [
      ["show", `${path}#${id}`],
      ["import", `${path}#${id}`],
      ["show", path],
    ]) {
      expect([command[0], (await runCommand(made, command)).code]).toEqual([command[0], 0]);
    }
  });

  test("an empty file is not damage", async () => {
    const made = agentsPlace();
    write(join(made.home, `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${THREAD}.jsonl`), "");
    expect((await runCommand(made, ["ls", "--all-agents"])).stderr).toBe("");
  });
});

/** Where each agent keeps a session, and how one starts there. */
const BEGINNINGS: Readonly<Record<AgentName, readonly [place: string, sample: string]>> = {
  "claude-code": [`.claude/projects/-work-project/${THREAD}.jsonl`, "claude-code/rewind.jsonl"],
  codex: [
    `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${THREAD}.jsonl`,
    "codex/rollout-2026-11-15T08-50-22-01a1de66-80ff-71b0-83ef-c69d0ac060ef.jsonl",
  ],
  gemini: [
    ".gemini/tmp/project/chats/session-2026-03-04T10-00-cut.jsonl",
    "gemini/session-2026-11-15T08-50-894c528a.jsonl",
  ],
  opencode: [
    ".local/share/opencode/storage/session/global/ses_cut.json",
    "opencode/ses_e2193c7edffehRwYnlS0oYv7uT.json",
  ],
  pi: [`.pi/agent/sessions/--work-project--/2026-03-04T10-00-00_${THREAD}.jsonl`, "pi/branches.jsonl"],
};

describe.each(AGENT_NAMES)("a session of %s that is cut off in its header", (agent) => {
  function cutPlace() {
    const made = agentsPlace();
    const [name, sample] = BEGINNINGS[agent];
    const path = write(join(made.home, name), readFileSync(join(SAMPLES, "..", sample)).subarray(0, 40));
    return { ...made, path };
  }

  test("is listed as damaged, with path and reason", async () => {
    const made = cutPlace();
    const { code, stderr, stdout } = await runCommand(made, ["ls", "--all-agents", "--json"]);
    const { sessions } = JSON.parse(stdout) as { sessions: { path: string; name: string; problem?: object }[] };
    const listed = sessions.find(({ path }) => path === made.path);
    expect([code, listed?.name]).toEqual([0, expect.stringMatching(/^\(damaged: it(s first line)? is cut off\)$/)]);
    expect(listed?.problem).toMatchObject({ kind: "damaged" });
    expect(stderr).toContain(`  ${made.path} (`);
  });

  test("is named by search and by import --all", async () => {
    const made = cutPlace();
    const searched = await runCommand(made, ["search", "--all-agents", "notes.txt"]);
    expect(searched.stderr).toContain(`${made.path} could not be searched: `);
    const imported = await runCommand(made, ["import", "--all", "--yes", "--json"]);
    const { failed } = JSON.parse(imported.stdout) as { failed: { source: { path: string } }[] };
    expect([imported.code, failed.map(({ source }) => source.path)]).toEqual([1, [made.path]]);
  });

  test("exits with 3 if it is named explicitly", async () => {
    const made = cutPlace();
    const { path } = made;
    for (const command of namedIn(path, AGENT_NAMES.indexOf(agent) + 1)) {
      const { code, stderr } = await runCommand(made, command);
      expect([command[0], code, stderr]).toEqual([command[0], 3, expect.stringContaining(`${path} is damaged. `)]);
    }
  });
});

test("a session of pi whose header alone is damaged is listed, and everything else in it is read", async () => {
  const made = agentsPlace();
  const [name, sample] = BEGINNINGS.pi;
  const whole = readFileSync(join(SAMPLES, "..", sample), "utf8");
  const path = write(join(made.home, name), whole.slice(0, 40) + whole.slice(whole.indexOf("\n")));
  const { stdout } = await runCommand(made, ["ls", "--all-agents", "--json"]);
  const { sessions } = JSON.parse(stdout) as { sessions: { path: string; name: string; problem?: object }[] };
  const listed = sessions.find((session) => session.path === path);
  expect([listed?.name, listed?.problem]).toEqual(["Fruits and trees", undefined]);
  const { code, stderr } = await runCommand(made, ["show", path]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("The session file is damaged, line 1")]);
});

describe("a compressed rollout that unpacks to gigabytes", () => {
  test("is listed as too large, is not searched, and is refused by name with a sentence", async () => {
    const made = agentsPlace();
    const name = `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${THREAD}.jsonl.zst`;
    const path = write(join(made.home, name), runZstd(0x20, 2 ** 31));
    const reason = "It unpacks to more than 400 times its size.";
    expect((await runCommand(made, ["ls", "--all-agents"])).stderr).toContain(
      `${path} (Codex) is too large. ${reason}`,
    );
    expect((await runCommand(made, ["search", "--all-agents", "x"])).stderr).toContain(`${path} is too large to read.`);
    for (const command of [
      ["show", path],
      ["import", path],
    ]) {
      const { code, stderr } = await runCommand(made, command);
      expect([code, stderr.includes(`${path} is too large to read. ${reason}`)]).toEqual([1, true]);
    }
  });
});
