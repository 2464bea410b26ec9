import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hooksOf } from "@bough/agent/agent/agent-harness.test-support.js";
import { answer, drawSession, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { testContext } from "../command-context.test-support.js";
import { completeCommandLine } from "../complete-command-line.js";
import { runCommandLine } from "../run-command-line.js";

const busy = [{ text: "on it", hang: true }] as const;

describe("/new and /clone", () => {
  test("go to a new file; the old one stays", async () => {
    const { context, session } = testContext({ drawing: "A-b" });
    const before = session.getSessionFile() as string;
    const bytes = readFileSync(before, "utf8");
    expect(await runCommandLine(context, "/clone")).toMatchObject({
      kind: "done",
      message: "New session with a copy of this path. The original is unchanged.",
      hint: "/resume lists it.",
    });
    expect(session.getHeader().parentSession).toBe(before);
    expect(await runCommandLine(context, "/new")).toMatchObject({
      message: "New session. The previous one is saved.",
      hint: "/resume lists it.",
    });
    expect(session.getLeafId()).toBeNull();
    expect(readFileSync(before, "utf8").startsWith(bytes)).toBe(true);
  });

  test("are off while the agent works; an extension that does not want it is named", async () => {
    const working = testContext({ steps: busy });
    const run = working.agent.prompt("go");
    await working.model.reached(1);
    for (const line of ["/new", "/clone", "/resume", "/fork", "/compact"]) {
      expect(await runCommandLine(working.context, line)).toMatchObject({ kind: "unchanged", code: "unavailable" });
    }
    working.agent.abort();
    await run;
    const hooks = hooksOf({ session_before_switch: () => ({ cancel: true }) });
    const { context } = testContext({ agent: { hooks } });
    expect(await runCommandLine(context, "/new")).toEqual({
      kind: "unchanged",
      message: "Change of session cancelled by test. Nothing changed.",
      code: "stopped-by-extension",
    });
  });
});

describe("/resume", () => {
  function withAnother() {
    const made = testContext({ drawing: "A-b" });
    const other = SessionManager.create(made.context.cwd, made.context.sessionDir);
    other.appendMessage(user("parse the grammar"));
    other.appendMessage(answer("done"));
    other.appendSessionInfo("parser");
    other.close();
    return { ...made, other };
  }

  test("opens by name, id, start of the id, words and file", async () => {
    const { context, session, other } = withAnother();
    const own = session.getSessionFile() as string;
    const id = other.getSessionId();
    for (const reference of ["parser", id, id.slice(0, 8), "the grammar", other.getSessionFile()]) {
      await runCommandLine(context, `/resume ${reference}`);
      expect(session.getSessionId()).toBe(id);
      await runCommandLine(context, `/resume "${own}"`);
      expect(session.getSessionFile()).toBe(own);
    }
    expect(await runCommandLine(context, "/resume parser")).toMatchObject({ message: 'Opened "parser".' });
    expect(await runCommandLine(context, "/resume parser")).toEqual({
      kind: "unchanged",
      message: "You are already here.",
    });
  });

  test("lists without a screen, and completes ids", async () => {
    const { context, other } = withAnother();
    expect(await runCommandLine(context, "/resume")).toMatchObject({
      message: expect.stringContaining(`  ${other.getSessionId()}  parser`),
      data: { total: 2 },
    });
    const found = await completeCommandLine(context, "/resume pars");
    expect(found?.items).toEqual([{ value: other.getSessionId(), description: "parser" }]);
  });

  test("opens its screen without an argument and for several", async () => {
    const shown = testContext({ screens: ["resume"] });
    await runCommandLine(shown.context, "/resume");
    expect(shown.opened).toEqual([{ screen: "resume" }]);
    const { context } = withAnother();
    const twin = SessionManager.create(context.cwd, context.sessionDir);
    twin.appendMessage(user("parse the grammar again"));
    twin.close();
    expect(await runCommandLine(context, "/resume grammar")).toMatchObject({
      code: "ambiguous-reference",
      message: expect.stringMatching(/^"grammar" matches 2 sessions:\n/),
      hint: "Be more specific.",
    });
  });

  test("stays where it is for what is not there and for what is not a session", async () => {
    const { context, session } = withAnother();
    const before = session.getSessionId();
    expect(await runCommandLine(context, "/resume nope")).toEqual({
      kind: "unchanged",
      message: 'No session matches "nope".',
      hint: "/resume lists them.",
      code: "session-not-found",
    });
    writeFileSync(join(context.cwd, "notes.txt"), "hello\n");
    expect(await runCommandLine(context, "/resume notes.txt")).toMatchObject({ code: "not-a-session" });
    expect(session.getSessionId()).toBe(before);
  });
});

describe("/name and /session", () => {
  test("name the session and report on it", async () => {
    const { context, session } = testContext({ drawing: "A-b; A-c*" });
    expect(await runCommandLine(context, "/name")).toMatchObject({
      message: "This session has no name.",
      hint: "Name it with /rename <name>.",
    });
    expect(await runCommandLine(context, "/name parser session")).toEqual({
      kind: "done",
      message: 'Renamed to "parser session".',
      data: { name: "parser session" },
    });
    expect(await runCommandLine(context, "/name parser session")).toMatchObject({
      message: "It already has this name.",
    });
    expect(await runCommandLine(context, "/name")).toMatchObject({ message: 'This session is "parser session".' });
    expect(session.getSessionName()).toBe("parser session");
    const outcome = await runCommandLine(context, "/session");
    expect(outcome).toMatchObject({
      message: expect.stringMatching(
        /^parser session\nSession .*\nThis path: 3 entries, 1 prompt, .*\nAll 2 branches: /s,
      ),
      data: { branches: 2 },
    });
  });

  test("say that a session in memory has no file; a screen is used where there is one", async () => {
    const { context } = testContext({ session: drawSession("A-b") });
    expect(await runCommandLine(context, "/session")).toMatchObject({
      message: expect.stringContaining("File none (in memory only)"),
    });
    const shown = testContext({ screens: ["session"] });
    expect(await runCommandLine(shown.context, "/session")).toEqual({ kind: "shown" });
  });
});

describe("/search", () => {
  test("finds words on every branch, with the address of each place", async () => {
    const { context, session } = testContext({
      drawing: "A-b*; A-c",
      contents: { c: says(answer("the hidden treasure")) },
    });
    session.sync();
    expect(await runCommandLine(context, "/search hidden treasure")).toMatchObject({
      message: `  the hidden treasure  ${session.getSessionId()}#c`,
      data: { hits: [{ entryId: "c", state: "abandoned" }] },
    });
    expect(await runCommandLine(context, "/search nowhere")).toEqual({
      kind: "unchanged",
      message: 'No entry matches "nowhere".',
    });
  });

  test("wants words, refuses a bad pattern, and uses its screen", async () => {
    const { context } = testContext();
    expect(await runCommandLine(context, "/search")).toMatchObject({ code: "wrong-arguments" });
    expect(await runCommandLine(context, "/search re:(")).toMatchObject({ code: "bad-query" });
    const shown = testContext({ screens: ["search"] });
    await runCommandLine(shown.context, "/search two words");
    expect(shown.opened).toEqual([{ screen: "search", words: "two words" }]);
  });
});

describe("/export and /export-branch", () => {
  test("write Markdown and JSONL, private to the owner, and overwrite a file only on request", async () => {
    const { context } = testContext({ drawing: "A-b-C-d*; b-E-f" });
    const markdown = join(context.cwd, "talk.md");
    expect(await runCommandLine(context, "/export talk.md")).toMatchObject({
      kind: "done",
      message: expect.stringContaining(`Wrote 4 entries to ${markdown}`) as string,
      data: { file: markdown, entries: 4, findings: [] },
    });
    expect(statSync(markdown).mode & 0o777).toBe(0o600);
    expect(await runCommandLine(context, "/export talk.md")).toMatchObject({ code: "export-failed" });
    expect(await runCommandLine(context, "/export talk.md --force")).toMatchObject({ kind: "done" });
    expect(await runCommandLine(context, "/export all.jsonl --all")).toMatchObject({ kind: "done" });
    const copy = SessionManager.open(join(context.cwd, "all.jsonl"), undefined, { readOnly: true });
    expect([copy.getLeafId(), copy.getTipIds()]).toEqual(["d", ["d", "f"]]);
  });

  test("in the terminal, a new file name is written at once; without one, or for a file that exists, the screen opens", async () => {
    const { context, opened } = testContext({ drawing: "A-b-C-d*; b-E-f", screens: ["export"] });
    expect(await runCommandLine(context, "/export talk.md")).toMatchObject({
      kind: "done",
      data: { file: join(context.cwd, "talk.md") },
    });
    expect(opened).toEqual([]);
    for (const line of ["/export talk.md", "/export", "/export talk"]) {
      expect(await runCommandLine(context, line)).toEqual({ kind: "shown" });
    }
    expect(opened).toEqual([
      { screen: "export", file: "talk.md" },
      { screen: "export", file: undefined },
      { screen: "export", file: "talk" },
    ]);
  });

  test("choose a name if none is given, and a format by its extension", async () => {
    const { context } = testContext();
    await runCommandLine(context, "/rename My talk");
    await runCommandLine(context, "/export");
    expect(existsSync(join(context.cwd, "my-talk.html"))).toBe(true);
    expect(await runCommandLine(context, "/export talk.txt")).toMatchObject({ code: "wrong-arguments" });
    expect(await runCommandLine(context, "/export talk.html")).toMatchObject({ kind: "done" });
    expect(await runCommandLine(context, "/export x.md --all --path")).toMatchObject({ code: "wrong-arguments" });
  });

  test("a page has every branch, --scope path narrows it, and --all widens the other formats", async () => {
    const { context } = testContext({ drawing: "A-b-C-d*; b-E-f" });
    const entriesOf = async (line: string) =>
      ((await runCommandLine(context, line)) as { readonly data?: { readonly entries: number } }).data?.entries;
    expect(await entriesOf("/export all.html")).toBe(await entriesOf("/export too.jsonl --all"));
    expect(await entriesOf("/export path.html --scope path")).toBe(4);
    expect(await entriesOf("/export also.html --path")).toBe(4);
    expect(await entriesOf("/export path.md")).toBe(4);
    expect(await entriesOf("/export branch.jsonl --scope=branch")).toBe(3);
    expect(await entriesOf("/export-branch d upto.jsonl --scope path")).toBe(4);
    for (const line of ["/export x.md --scope some", "/export x.md --scope", "/export x.md --all --scope path"]) {
      expect(await runCommandLine(context, line)).toMatchObject({ code: "wrong-arguments" });
    }
  });

  test("write a part as a separate session", async () => {
    const { context } = testContext({ drawing: "A-b-C-d*; b-E-f" });
    expect(await runCommandLine(context, "/export-branch E part.jsonl")).toMatchObject({
      message: expect.stringContaining(`Wrote 2 entries to ${join(context.cwd, "part.jsonl")}`) as string,
    });
    expect(await runCommandLine(context, "/export-branch E part.jsonl")).toMatchObject({ code: "export-failed" });
    expect(await runCommandLine(context, "/export-branch d --path")).toMatchObject({ data: { entries: 4 } });
    expect(await runCommandLine(context, "/export-branch")).toMatchObject({ code: "wrong-arguments" });
  });

  test.each([
    ["/export talk.md", "talk.md"],
    ["/export talk.html", "talk.html"],
    ["/export-branch E part.jsonl", "part.jsonl"],
    ["/export-branch d part.jsonl --path", "part.jsonl"],
  ])("%s masks secrets, and keeps them only with --no-redact", async (line, name) => {
    const secret = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
    const { context } = testContext({ drawing: "A-b-C-d*; b-E-f" });
    const { session } = context.agent;
    for (const id of ["f", "d"]) {
      session.branch(id);
      session.appendMessage({ role: "user", content: `push with ${secret}`, timestamp: 1 });
    }
    const target = line.replace(" d ", ` ${session.getLeafId()} `);
    expect(await runCommandLine(context, target)).toMatchObject({
      message: expect.stringContaining("1 value that looks like a secret was masked.") as string,
    });
    expect(readFileSync(join(context.cwd, name), "utf8")).not.toContain(secret);
    const open = target.replace(name, `open-${name}`);
    expect(await runCommandLine(context, `${open} --no-redact`)).toMatchObject({ kind: "done" });
    expect(readFileSync(join(context.cwd, `open-${name}`), "utf8")).toContain(secret);
  });

  test("complete file names", async () => {
    const { context } = testContext();
    mkdirSync(join(context.cwd, "out"));
    writeFileSync(join(context.cwd, "out", "my talk.md"), "");
    writeFileSync(join(context.cwd, ".hidden"), "");
    const values = async (line: string) => (await completeCommandLine(context, line))?.items.map(({ value }) => value);
    expect(await values("/export ou")).toEqual(["out/"]);
    expect(await values("/export out/my")).toEqual(['"out/my talk.md"']);
    expect(await values("/export .h")).toEqual([".hidden"]);
    expect(await values("/export nowhere/x")).toBeUndefined();
  });
});

describe("/copy", () => {
  test("copies the last answer with words, or the text of an entry", async () => {
    const { context, copied } = testContext({
      drawing: "A-b-c*",
      contents: { b: says(answer("the answer")), c: says(answer("", { calls: [{ id: "1", name: "ls" }] })) },
    });
    expect(await runCommandLine(context, "/copy")).toMatchObject({
      message: "Copied 10 characters.",
      data: { entryId: "b", text: "the answer" },
    });
    await runCommandLine(context, "/copy A");
    expect(copied).toEqual(["the answer", "A"]);
    expect(await runCommandLine(context, "/copy c")).toMatchObject({ message: "This entry has no text to copy." });
    expect(await runCommandLine(testContext({ drawing: "A" }).context, "/copy")).toMatchObject({
      message: "No answer to copy yet.",
    });
  });
});
