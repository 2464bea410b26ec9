/** Sessions of five other agents and those of Bough in one home: listed, searched, looked at, imported, handed on. */
import { readFileSync } from "node:fs";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { openForeign } from "@bough/workbench/interop/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { AGENT_IDS } from "../support/agents-home.js";
import { growClaude, growCodex, growDatabase, growFiles, growGemini, growPi } from "../support/grow-agents.js";
import { TerminalProgram } from "../support/terminal.js";
import { sessionFiles } from "./cli-support.js";
import { foreignFiles, makeAgentsPlace } from "./sub-agents-place.js";
import { packedProgram, runSub, type SubPlace } from "./sub-support.js";

/** `agent:id` of all of them, the newest first. */
const FOREIGN = [
  `pi:${AGENT_IDS.pi}`,
  `gemini:${AGENT_IDS.geminiCompression}`,
  `gemini:${AGENT_IDS.gemini}`,
  `codex:${AGENT_IDS.codex}`,
  `claude-code:${AGENT_IDS.claudeSubagent}`,
  `claude-code:${AGENT_IDS.claude}`,
  `codex:${AGENT_IDS.codexCompressed}`,
  `opencode:${AGENT_IDS.opencodeSubagent}`,
  `opencode:${AGENT_IDS.opencodeCompaction}`,
  `opencode:${AGENT_IDS.opencode}`,
] as const;
/** One of each way of keeping sessions. */
const ONE_OF_EACH = [FOREIGN[0], FOREIGN[2], FOREIGN[3], FOREIGN[5], FOREIGN[6], FOREIGN[7], FOREIGN[9]];

interface ListedJson {
  readonly id: string;
  readonly agent: string;
  readonly turns: number;
  readonly path: string;
  readonly importedFrom: { readonly agent: string; readonly id: string } | null;
}

interface ImportedJson {
  readonly source: { readonly agent: string; readonly id: string };
  readonly kind: string;
  readonly turns: number;
  readonly changed: readonly string[];
  readonly session: { readonly id: string; readonly path: string };
}

const open: TerminalProgram[] = [];

afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});

/** Runs a command that has to work and to have nothing to remark. */
const printed = async (place: SubPlace, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runSub(place, args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
};
const listed = async (place: SubPlace) =>
  (JSON.parse(await printed(place, "ls", "--all-agents", "--json")) as { sessions: ListedJson[] }).sessions;
const imported = async (place: SubPlace, ...references: readonly string[]) =>
  (JSON.parse(await printed(place, "import", ...references, "--json")) as { sessions: ImportedJson[] }).sessions;

describe("five other agents and Bough in one home", () => {
  test("are one list: as JSON, as columns, as a table", async () => {
    const place = makeAgentsPlace();
    const before = foreignFiles(place);
    const sessions = await listed(place);
    expect(sessions.map(({ agent, id }) => `${agent}:${id}`)).toEqual([
      ...["bough:first-steps", ...FOREIGN, "bough:bough-demo"],
    ]);
    expect(sessions.map(({ turns }) => turns)).toEqual([1, 4, 4, 1, 1, 1, 3, 1, 1, 4, 1, 26]);
    const rows = (await printed(place, "ls", "--all-agents")).trimEnd().split("\n");
    const [heading = [], ...columns] = rows.map((row) => row.split("\t"));
    const [id, agent] = [heading.indexOf("id"), heading.indexOf("agent")];
    expect(columns.map((row) => `${row[agent]}:${row[id]}`)).toEqual(
      sessions.map((each) => `${each.agent}:${each.id}`),
    );
    const known = Object.entries({ TERM: "xterm-256color", ...place.env });
    const env = Object.fromEntries(known.filter((pair): pair is [string, string] => pair[1] !== undefined));
    const args = [packedProgram(), "ls", "--all-agents"];
    const terminal = new TerminalProgram({ command: process.execPath, args, cwd: place.cwd, env });
    open.push(terminal);
    expect(await terminal.ends()).toBe(0);
    const [names, ...shown] = terminal.lines.filter((line) => line.trim() !== "").map((line) => line.split(/ {2,}/));
    expect(names?.slice(0, 2)).toEqual(["id", "agent"]);
    expect(shown.map((row) => row[1])).toEqual(sessions.map((each) => each.agent));
    // As much of an id as is shown leads to its session, and to no other.
    expect(shown.every(([short = ""], at) => sessions[at]?.id.startsWith(short))).toBe(true);
    expect(new Set(shown.map(([short]) => short)).size).toBe(sessions.length);
    const [short = ""] = shown.find((row) => row[1] === "opencode") ?? [];
    expect(await printed(place, "show", short)).toContain("## Prompt");
    expect(foreignFiles(place)).toEqual(before);
  });

  test("are searched together, and the address of a hit leads to it", async () => {
    const place = makeAgentsPlace();
    const before = foreignFiles(place);
    const words =
      "Try a hand-written lexer|Triple it instead|says when the water|Pick a fruit|count its lines|ask a helper";
    const hits = (await printed(place, "search", "--all-agents", "--json", `re:${words}`))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; agent?: string; sessionId: string; address: string })
      .filter(({ type }) => type === "hit");
    const found = new Map(hits.map((hit) => [`${hit.agent ?? "bough"}:${hit.sessionId}`, hit.address]));
    expect([...found.keys()]).toEqual(expect.arrayContaining([...ONE_OF_EACH, "bough:bough-demo"]));
    for (const reference of ONE_OF_EACH) {
      const address = found.get(reference) as string;
      const [agent, id] = reference.split(":");
      const [shown, drawn] = await Promise.all(
        ["show", "tree"].map(async (command) => printed(place, command, address, "--json")),
      );
      expect(JSON.parse(shown as string)).toMatchObject({ session: { agent, id } });
      expect(JSON.parse(drawn as string)).toMatchObject({ session: { agent, id } });
      expect(shown).toMatch(new RegExp(words));
    }
    expect(foreignFiles(place)).toEqual(before);
  });

  test("are imported once, and later only what is new", async () => {
    const place = makeAgentsPlace();
    const first = await imported(place, ...ONE_OF_EACH);
    expect(first.map(({ source, kind }) => `${source.agent}:${source.id} ${kind}`)).toEqual(
      ONE_OF_EACH.map((each) => `${each} imported`),
    );
    const before = new Map(sessionFiles(place).map((file) => [file, readFileSync(file)]));
    expect((await imported(place, ...ONE_OF_EACH)).map(({ kind }) => kind)).toEqual(ONE_OF_EACH.map(() => "unchanged"));
    expect(new Map(sessionFiles(place).map((file) => [file, readFileSync(file)]))).toEqual(before);

    const text = "And now the weather.";
    for (const grow of [growClaude, growCodex, growDatabase, growFiles, growGemini, growPi]) grow(place.paths, text);
    const sources = foreignFiles(place);
    const grown = await imported(place, ...ONE_OF_EACH);
    expect(grown.map(({ source, kind, turns }) => `${source.agent}:${source.id} ${kind} ${turns}`)).toEqual(
      ONE_OF_EACH.map((each) =>
        each === `codex:${AGENT_IDS.codexCompressed}` ? `${each} unchanged 0` : `${each} extended 1`,
      ),
    );
    for (const { session, kind, changed } of grown) {
      expect(changed).toEqual([]);
      const bytes = readFileSync(session.path);
      const old = before.get(session.path) as Buffer;
      expect(bytes.subarray(0, old.length).equals(old)).toBe(true);
      expect(prompts(session.path).filter((prompt) => prompt === text)).toHaveLength(kind === "extended" ? 1 : 0);
      expect((await verifySession(session.path)).findings).toEqual([]);
    }
    const sessions = await listed(place);
    expect(sessions).toHaveLength(2 + FOREIGN.length);
    expect(
      sessions.flatMap(({ importedFrom: from }) => (from === null ? [] : [`${from.agent}:${from.id}`])).sort(),
    ).toEqual([...ONE_OF_EACH].sort());
    expect(foreignFiles(place)).toEqual(sources);
  });

  test("are handed on to Claude Code, Codex and pi, who read back what was said", async () => {
    const place = makeAgentsPlace();
    const before = foreignFiles(place);
    const [first] = await imported(place, `gemini:${AGENT_IDS.gemini}`);
    const { id = "", path = "" } = first?.session ?? {};
    const foreign = await openForeign(place.paths.opencode, { id: AGENT_IDS.opencode });
    const said = new Map([
      // Gemini CLI's own instructions are not handed on.
      [
        id,
        spoken(SessionManager.open(path, undefined, { readOnly: true })).filter((line) => !line.includes(OWN_CONTEXT)),
      ],
      [`opencode:${AGENT_IDS.opencode}`, spoken(foreign.session)],
    ]);
    foreign.close();
    const written: string[] = [];
    for (const [reference, conversation] of said) {
      expect(conversation.length).toBeGreaterThan(4);
      for (const agent of ["claude-code", "codex", "pi"]) {
        const answer = await runSub(place, ["handoff", agent, reference, "--json", "--yes"]);
        expect([answer.code, answer.stderr]).toEqual([0, ""]);
        const { file, resume } = JSON.parse(answer.stdout) as { file: string; resume: { cwd: string } };
        written.push(file);
        expect(resume.cwd).toBe(place.cwd);
        const there = agent === "pi" ? undefined : await openForeign(file);
        const session = there?.session ?? SessionManager.open(file, undefined, { readOnly: true });
        expect(there?.source.agent ?? "pi").toBe(agent);
        expect({ agent, reference, said: spoken(session) }).toEqual({ agent, reference, said: conversation });
        there?.close();
      }
    }
    const isNew = (line: string) =>
      written.some((file) => line.startsWith(`${file.slice(place.user.length + 1).replace(/^[^/]+\//, "")} `));
    expect(foreignFiles(place).filter((line) => !isNew(line))).toEqual(before);
    expect(foreignFiles(place)).toHaveLength(before.length + written.length);
    expect(await listed(place)).toHaveLength(2 + FOREIGN.length + written.length);
  });
});

const OWN_CONTEXT = "<session_context>";

function prompts(file: string): string[] {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return session
      .getEntries()
      .flatMap((entry) => lineOf(entry).filter((line) => line.startsWith("user: ")))
      .map((line) => line.slice(6));
  } finally {
    session.close();
  }
}

/** What was said on the path to the leaf, calls and results included, in the words every agent has. */
function spoken(session: SessionManager): string[] {
  const leaf = session.getLeafId();
  return leaf === null ? [] : session.getBranch(leaf).flatMap(lineOf);
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
}

function lineOf(entry: SessionEntry): string[] {
  // What a program says in the user's place is the user's word wherever there is no such thing.
  if (entry.type === "custom_message") return [`user: ${textOf(entry.content)}`];
  if (entry.type !== "message") return [];
  const { message } = entry;
  if (message.role !== "user" && message.role !== "assistant" && message.role !== "toolResult") return [];
  const blocks =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  return blocks.flatMap((block) => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [`${message.role}: ${block.text}`];
    return block.type === "toolCall" ? [`call: ${block.name} ${JSON.stringify(block.arguments)}`] : [];
  });
}
