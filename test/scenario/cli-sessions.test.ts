import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { bough, conversation, makePlace, type Place, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const prompts = async (file: string) => (await conversation(file)).filter((line) => line.startsWith("user: "));

/** Runs a prompt that has to work and answers the session files afterwards. */
async function ask(place: Place, ...args: readonly string[]): Promise<string[]> {
  const ended = await runHere(place, ["-p", ...args]);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  return sessionFiles(place);
}

describe("which session bough works in", () => {
  test("every call starts a new one, and --continue resumes the last", async () => {
    const place = makePlace();
    for (const args of [["list files"], ["read notes.txt"]]) await ask(place, ...args);
    // A process of its own knows nothing of the ones before but what is in the files.
    expect(await bough(place, ["-p", "-c", "read app.js"])).toMatchObject({ code: 0, stderr: "" });
    const [first, second, ...others] = sessionFiles(place);
    expect(others).toEqual([]);
    expect(await prompts(first as string)).toEqual(["user: list files"]);
    expect(await prompts(second as string)).toEqual(["user: read notes.txt", "user: read app.js"]);
  });

  test("--continue in a folder without sessions starts one", async () => {
    const place = makePlace();
    expect(await prompts(theOnly(await ask(place, "--continue", "list files")))).toEqual(["user: list files"]);
  });

  test("--session and --resume find it by path, id, start of the id and name, from any folder", async () => {
    const place = makePlace();
    const file = theOnly(await ask(place, "--session-id", "abc-first", "--name", "The parser", "list files"));
    const elsewhere = { ...place, cwd: tempFolder() };
    await ask(place, "--session", file, "by path");
    await ask(place, "--resume", "abc-first", "by id");
    await ask(elsewhere, "--session", "abc-f", "by prefix");
    expect(await ask(elsewhere, "-r", "the parser", "by name")).toEqual([file]);
    expect(await prompts(file)).toEqual([
      "user: list files",
      "user: by path",
      "user: by id",
      "user: by prefix",
      "user: by name",
    ]);
  });

  test("--session-id creates a session with that id, then resumes it", async () => {
    const place = makePlace();
    await ask(place, "--session-id", "nightly", "list files");
    const file = theOnly(await ask(place, "--session-id", "nightly", "read app.js"));
    expect(await prompts(file)).toEqual(["user: list files", "user: read app.js"]);
    const session = SessionManager.open(file, undefined, { readOnly: true });
    expect(session.getSessionId()).toBe("nightly");
    session.close();
  });

  test("what matches several sessions is refused with the candidates", async () => {
    const place = makePlace();
    await ask(place, "--session-id", "abc-1", "--name", "one", "list files");
    await ask(place, "--session-id", "abc-2", "read notes.txt");
    const ended = await runHere(place, ["-p", "--session", "abc", "x"]);
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: "bough: Several sessions match abc\n  Give more of the ID:\n  abc-2  read notes.txt\n  abc-1  one\n",
    });
  });

  test("a reference without a match is refused and starts nothing", async () => {
    const place = makePlace();
    for (const reference of ["nothing", "./nothing.jsonl", "nothing#here"]) {
      const ended = await runHere(place, ["-p", "--session", reference, "x"]);
      expect([ended.code, ended.stderr.split("\n")[0]]).toEqual([1, `bough: Session not found: ${reference}`]);
    }
    expect(sessionFiles(place)).toEqual([]);
  });

  test("session#entry continues from that entry, by id, prefix or label, and keeps the other branch", async () => {
    const place = makePlace();
    const file = theOnly(await ask(place, "--session-id", "s", "list files"));
    const session = SessionManager.open(file);
    const answer = session.getLeafId() as string;
    session.appendLabelChange(answer, "listed");
    session.close();
    await ask(place, "-c", "read notes.txt");
    await ask(place, "--session", `s#${answer.slice(0, 8)}`, "read app.js");
    expect(await prompts(file)).toEqual(["user: list files", "user: read app.js"]);
    await ask(place, "--session", "s#listed", "find *.txt");
    expect(await prompts(file)).toEqual(["user: list files", "user: find *.txt"]);
    const again = SessionManager.open(file, undefined, { readOnly: true });
    expect(again.getCounts().branches).toBe(3);
    again.close();
    const ended = await runHere(place, ["-p", "--session", "s#nowhere", "x"]);
    expect([ended.code, ended.stderr.split("\n")[0]]).toEqual([1, "bough: Entry nowhere not found"]);
    expect(ended.stderr).toContain("bough tree lists them");
  });

  test("--fork continues in a copy, also from an entry, and leaves the source unchanged", async () => {
    const place = makePlace();
    const file = theOnly(await ask(place, "--session-id", "source", "list files"));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const [, , answer] = session.getBranch().filter((entry) => entry.type === "message");
    session.close();
    const before = await conversation(file);
    const [, copy] = await ask(place, "--fork", "source", "read app.js");
    expect(await prompts(copy as string)).toEqual(["user: list files", "user: read app.js"]);
    const files = await ask(place, "--fork", `source#${answer?.id}`, "read notes.txt");
    const third = files.find((path) => path !== file && path !== copy) as string;
    expect((await conversation(third)).slice(0, 4).map((line) => line.split("\n")[0])).toEqual([
      "user: list files",
      "assistant: [toolCall ls]",
      "toolResult: app.js",
      "user: read notes.txt",
    ]);
    expect(await conversation(file)).toEqual(before);
    const header = SessionManager.open(third, undefined, { readOnly: true });
    expect(header.getHeader().parentSession).toBe(file);
    header.close();
  });

  test("--session-dir keeps and finds sessions in a folder of one's own", async () => {
    const place = makePlace();
    const dir = join(tempFolder(), "mine");
    for (const args of [
      ["--session-id", "x", "list files"],
      ["-c", "read app.js"],
      ["--session", "x", "read notes.txt"],
    ])
      expect((await runHere(place, ["-p", "--session-dir", dir, ...args])).code).toBe(0);
    expect(sessionFiles(place)).toEqual([]);
    const session = SessionManager.continueRecent(place.cwd, dir, { readOnly: true });
    expect([session.getSessionId(), session.getCounts().messages]).toEqual(["x", 12]);
    session.close();
  });

  test("the model and thinking level that were chosen stay with the session", async () => {
    const place = makePlace();
    await ask(place, "--model", "offline/rules", "--thinking", "low", "list files");
    const { stdout } = await runHere(place, ["-p", "-c", "--mode", "json", "read app.js"]);
    expect(JSON.parse(stdout.split("\n")[0] as string)).toMatchObject({ model: "offline/rules", thinkingLevel: "low" });
  });
});
