import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { layOutAgents } from "../../../../../test/support/agents-home.js";
import type { LongWork } from "../command.js";
import { type TestContextOptions, testContext } from "../command-context.test-support.js";
import { completeCommandLine } from "../complete-command-line.js";
import { runCommandLine } from "../run-command-line.js";

const CODEX = "01a1de66-2f95-7361-a035-2c1db9b1d6c0";

function withAgents(options: TestContextOptions = {}) {
  const made = testContext({ drawing: "A-b", ...options });
  const files = layOutAgents({ home: made.context.home, cwd: made.context.cwd });
  return { ...made, files, file: made.session.getSessionFile() as string };
}

describe("/import", () => {
  test("without an argument opens the list where there is one, and lists what it finds where there is none", async () => {
    const withScreen = withAgents({ screens: ["import"] });
    expect(await runCommandLine(withScreen.context, "/import")).toEqual({ kind: "shown" });
    expect(withScreen.opened).toEqual([{ screen: "import" }]);
    const { context } = withAgents();
    const outcome = await runCommandLine(context, "/import");
    expect(outcome).toMatchObject({
      kind: "done",
      hint: "/import with an id, or words from the title, imports one.",
      data: { total: 9 },
    });
    const { message = "" } = outcome as { readonly message?: string };
    for (const agent of ["claude-code", "codex", "gemini", "opencode", "pi"]) expect(message).toContain(agent);
  });

  test("says where nothing is found", async () => {
    const { context } = testContext();
    expect(await runCommandLine(context, "/import")).toMatchObject({
      kind: "unchanged",
      message: expect.stringContaining("No sessions from other agents found"),
    });
    expect(await runCommandLine(context, "/import nothing like it")).toEqual({
      kind: "unchanged",
      message: 'No session from another agent matches "nothing like it".',
      hint: "/import lists them.",
      code: "session-not-found",
    });
  });

  test.each([
    ["its id", CODEX],
    ["the start of its id", CODEX.slice(0, 10)],
    ["agent and id", `codex:${CODEX}`],
  ])("takes a session by %s, keeps its tree and opens it; the previous session is unchanged", async (_how, typed) => {
    const { context, session, file } = withAgents();
    const bytes = readFileSync(file, "utf8");
    const outcome = await runCommandLine(context, `/import ${typed}`);
    expect(outcome).toMatchObject({ kind: "done", data: { kind: "imported" } });
    expect((outcome as { readonly message: string }).message).toMatch(/^Imported \d+ turns?.*Opened "/);
    expect(session.getHeader()).toMatchObject({ importedFrom: { agent: "codex", id: CODEX } });
    expect(session.getSessionFile()).toMatch(new RegExp(`^${context.sessionDir}/`));
    expect(readFileSync(file, "utf8").startsWith(bytes)).toBe(true);
  });

  test("takes a file, and keeps rewound parts as a branch", async () => {
    const { context, session, files } = withAgents();
    const before = readFileSync(files.claude, "utf8");
    const outcome = await runCommandLine(context, `/import ${files.claude}`);
    expect(outcome).toMatchObject({ kind: "done", data: { branches: 2 } });
    expect(session.getHeader()).toMatchObject({ importedFrom: { agent: "claude-code" } });
    expect(readFileSync(files.claude, "utf8")).toBe(before);
  });

  test("makes no session of a transcript in which nothing was said, as the shell does", async () => {
    const { context, session, file, files } = withAgents();
    const transcript = files.claude;
    const lines = readFileSync(transcript, "utf8").split("\n");
    writeFileSync(transcript, lines.filter((line) => !/"type":"(user|assistant)"/.test(line)).join("\n"));
    const before = readdirSync(context.sessionDir);
    expect(await runCommandLine(context, `/import ${transcript}`)).toMatchObject({
      code: "not-a-session",
      message: expect.stringContaining("is empty: nothing to import"),
    });
    expect(readdirSync(context.sessionDir)).toEqual(before);
    expect(session.getSessionFile()).toBe(file);
  });

  test("reports that nothing is new, then adds only new entries, whatever the current position", async () => {
    const { context, session, files, file } = withAgents();
    const source = files.pi;
    await runCommandLine(context, `/import ${source}`);
    const imported = session.getSessionFile() as string;
    expect(await runCommandLine(context, `/import ${source}`)).toMatchObject({
      kind: "done",
      message: expect.stringMatching(/^Nothing new since .*\. You are already here\.$/),
    });
    await runCommandLine(context, `/resume ${file}`);
    const lines = readFileSync(source, "utf8").trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) as string) as { readonly id: string };
    const message = { role: "user", content: "one more thing", timestamp: 1 };
    const more = { type: "message", id: "newentry", parentId: last.id, timestamp: "2026-11-15T09:00:00.000Z", message };
    appendFileSync(source, `${JSON.stringify(more)}\n`);
    expect(await runCommandLine(context, `/import ${source}`)).toMatchObject({
      kind: "done",
      message: expect.stringMatching(/^Added 1 turn since .*Opened "/),
      data: { kind: "extended", turns: 1 },
    });
    expect(session.getSessionFile()).toBe(imported);
    expect(readdirSync(context.sessionDir).filter((name) => name.endsWith(".jsonl"))).toHaveLength(2);
  });

  test("offers the choice where words fit several", async () => {
    const { context } = withAgents();
    expect(await runCommandLine(context, "/import gemini")).toMatchObject({
      kind: "unchanged",
      code: "ambiguous-reference",
      message: expect.stringMatching(/^"gemini" matches 2 sessions:\n/),
      hint: "Be more specific.",
    });
    const withScreen = withAgents({ screens: ["import"] });
    expect(await runCommandLine(withScreen.context, "/import gemini")).toEqual({ kind: "shown" });
    expect(withScreen.opened).toEqual([{ screen: "import", search: "gemini" }]);
  });

  test("refuses a session of Bough's own and a file that is none, and says what to do", async () => {
    const { context, file } = withAgents();
    expect(await runCommandLine(context, `/import ${file}`)).toEqual({
      kind: "unchanged",
      message: "This is already a Bough session",
      hint: "/resume opens it.",
      code: "own-session",
    });
    writeFileSync(join(context.cwd, "notes.txt"), "buy milk\n");
    expect(await runCommandLine(context, "/import notes.txt")).toMatchObject({
      kind: "unchanged",
      code: "not-a-transcript",
      hint: expect.stringContaining("Supported agents: claude-code"),
    });
  });

  test("is what /resume names for a transcript of another agent", async () => {
    const { context, files, session, file } = withAgents();
    expect(await runCommandLine(context, `/resume ${files.claude}`)).toEqual({
      kind: "unchanged",
      message: "That is a session from claude-code.",
      hint: `To import it: /import ${files.claude}`,
      code: "read-only",
    });
    expect(session.getSessionFile()).toBe(file);
  });

  test("can be stopped; then the position is unchanged and nothing is left behind", async () => {
    const titles: string[] = [];
    const watch = async <Result>({ title, work }: LongWork<Result>) => {
      titles.push(title());
      const stopped = AbortSignal.abort();
      await expect(work(stopped)).rejects.toThrow();
      return { kind: "stopped" } as const;
    };
    const { context, session, file } = withAgents({ watch });
    const before = readdirSync(context.sessionDir).sort();
    expect(await runCommandLine(context, `/import ${CODEX}`)).toEqual({
      kind: "unchanged",
      message: "Import cancelled. Nothing changed; running it again starts over.",
    });
    expect(titles).toEqual([expect.stringMatching(/^Importing ".*", \d+(\.\d+)? KB$/)]);
    expect([session.getSessionFile(), readdirSync(context.sessionDir).sort()]).toEqual([file, before]);
  });

  test("neutralises what a transcript says about itself", async () => {
    const { context, files } = withAgents();
    const source = files.pi;
    const info = {
      type: "session_info",
      id: "evil",
      parentId: null,
      timestamp: "2026-11-15T09:00:00.000Z",
      name: "\u001b]0;x\u0007a\u001b[31mb",
    };
    appendFileSync(source, `${JSON.stringify(info)}\n`);
    const { message } = (await runCommandLine(context, "/import")) as { readonly message: string };
    const opened = (await runCommandLine(context, `/import ${source}`)) as { readonly message: string };
    for (const text of [message, opened.message]) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  });

  test("/resume never opens a file in pi's folder for writing: it asks, and imports", async () => {
    const asked: string[] = [];
    let answer = false;
    const confirm = async ({ title }: { readonly title: string }) => {
      asked.push(title);
      return answer;
    };
    const { context, session, files, file } = withAgents({ confirm });
    const bytes = readFileSync(files.pi, "utf8");
    expect(await runCommandLine(context, `/resume ${files.pi}`)).toMatchObject({ kind: "unchanged" });
    expect(session.getSessionFile()).toBe(file);
    answer = true;
    expect(await runCommandLine(context, `/resume ${files.pi}`)).toMatchObject({ kind: "done" });
    expect(session.getHeader()).toMatchObject({ importedFrom: { agent: "pi", path: files.pi } });
    session.appendSessionInfo("mine");
    expect(asked).toEqual(
      Array(2).fill(expect.stringMatching(/ is a session from pi, which Bough does not modify\.$/)),
    );
    expect(readFileSync(files.pi, "utf8")).toBe(bytes);
    const { context: silent, files: others } = withAgents();
    expect(await runCommandLine(silent, `/resume ${others.pi}`)).toEqual({
      kind: "unchanged",
      message: "That is a session from pi.",
      hint: `To import it: /import ${others.pi}`,
      code: "read-only",
    });
  });

  test("is off while the agent works", async () => {
    const { context, agent, model } = withAgents({ steps: [{ text: "on it", hang: true }] });
    const run = agent.prompt("go");
    await model.reached(1);
    expect(await runCommandLine(context, "/import")).toMatchObject({ code: "unavailable" });
    agent.abort();
    await run;
  });
});

describe("/handoff", () => {
  test.each(["claude-code", "codex", "opencode", "gemini", "pi"])(
    "writes the path for %s and says how it is resumed",
    async (agent) => {
      const { context, file } = withAgents();
      const bytes = readFileSync(file, "utf8");
      const outcome = await runCommandLine(context, `/handoff ${agent} --yes`);
      expect(outcome).toMatchObject({
        kind: "done",
        message: expect.stringMatching(/^Wrote \d+ records? for .*\nLast prompt: ".+" \(\w+\)$/),
        hint: expect.stringMatching(/^To resume there: cd .* && /),
        data: { agent },
      });
      const { data } = outcome as { readonly data: { readonly file: string } };
      expect(existsSync(data.file)).toBe(true);
      expect(data.file.startsWith(context.home)).toBe(true);
      expect(readFileSync(file, "utf8").startsWith(bytes)).toBe(true);
      const again = (await runCommandLine(context, `/handoff ${agent} --yes`)) as { readonly data: typeof data };
      expect(again.data.file).not.toBe(data.file);
    },
  );

  test("lists what would be lost and asks; no means that nothing is written", async () => {
    const asked: string[][] = [];
    const confirm = async ({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) => {
      asked.push([title, ...lines]);
      return false;
    };
    const { context, agent } = withAgents({ confirm });
    agent.rename("parser work");
    expect(await runCommandLine(context, "/handoff codex")).toEqual({ kind: "unchanged", message: "Nothing changed." });
    expect(asked.map((lines) => lines.slice(0, 2))).toEqual([
      ["Codex cannot store 1 entry as it is:", expect.stringContaining("the session name")],
    ]);
    expect(writtenBelow(context.home)).toEqual([`rollout-2026-11-15T08-50-01-${CODEX}.jsonl`]);
  });

  test("writes nothing with losses if it cannot ask, until that is accepted", async () => {
    const { context, agent } = withAgents();
    agent.rename("parser work");
    expect(await runCommandLine(context, "/handoff codex")).toMatchObject({
      kind: "unchanged",
      code: "needs-agreement",
      hint: "Nothing was written. Pass --yes to write it without these.",
    });
    expect(writtenBelow(context.home)).toHaveLength(1);
    expect(await runCommandLine(context, "/handoff codex --yes")).toMatchObject({ kind: "done" });
    expect(writtenBelow(context.home)).toHaveLength(2);
  });

  test("ends at the entry that is named", async () => {
    const { context } = withAgents({ drawing: "A-b-C-d*" });
    const whole = await runCommandLine(context, "/handoff pi --yes");
    const part = await runCommandLine(context, "/handoff pi b --yes");
    const records = (outcome: unknown) => (outcome as { readonly data: { readonly records: number } }).data.records;
    expect(records(whole) - records(part)).toBe(2);
  });

  test("knows which agents can be written, and which one is meant", async () => {
    const { context } = withAgents();
    expect(await runCommandLine(context, "/handoff codx")).toMatchObject({
      code: "wrong-arguments",
      message: expect.stringContaining("closest: codex"),
    });
    expect((await completeCommandLine(context, "/handoff c"))?.items.map(({ value }) => value)).toEqual(
      expect.arrayContaining(["claude-code", "codex"]),
    );
  });
});

function writtenBelow(home: string): string[] {
  return readdirSync(join(home, ".codex/sessions"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => basename(name))
    .sort();
}
