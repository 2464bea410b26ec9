import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bough, makePlace, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; [key: string]: unknown });

describe("bough --mode json", () => {
  test("prints the header and then every event of the run, in order, one to a line", async () => {
    const place = makePlace();
    const ended = await bough(place, ["--mode", "json", "read notes.txt"]);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    const [header, ...events] = lines(ended.stdout);
    expect(header).toEqual({
      type: "session",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sessionFile: theOnly(sessionFiles(place)),
      cwd: place.cwd,
      model: "offline/rules",
      thinkingLevel: "off",
    });
    const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
    expect(types).toEqual([
      ...["run_start", "entries", "message_start", "message_end"],
      ...["turn_start", "message_start", "tool_input", "message_end", "tool_start"],
      ...["tool_end", "message_start", "message_end", "turn_end"],
      ...["turn_start", "message_start", "message_update", "message_end", "turn_end"],
      "run_end",
    ]);
    const said = events.flatMap((event) => (event.type === "message_update" ? [event.delta] : [])).join("");
    expect(said).toContain("buy milk");
    expect(events.at(-1)).toMatchObject({
      outcome: { kind: "done", message: { content: [{ type: "text", text: said }] } },
    });
  });

  test("escapes control characters and marks that reorder text, in events and in the name of the folder", async () => {
    const place = makePlace();
    const cwd = join(place.cwd, "pro\u202eject\x7f");
    mkdirSync(cwd);
    const { stdout } = await runHere(place, ["--mode", "json", "--cwd", cwd, "say \x7f\x9b\u200f"]);
    expect(stdout).not.toMatch(/[\x7f-\x9f\u200f\u202e]/);
    expect(lines(stdout)[0]).toMatchObject({ cwd });
    expect(stdout).toContain("say \\u007f\\u009b\\u200f");
    const listed = await runHere(place, ["ls", "--all"]);
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("pro\\u202eject\\x7f")]);
    expect(listed.stdout).not.toMatch(/[\x7f\u202e]/);
  });

  test("has no file in its header without a session", async () => {
    const { stdout } = await runHere(makePlace(), ["--mode", "json", "--no-session", "list files"]);
    expect(lines(stdout)[0]).toMatchObject({ type: "session", sessionFile: null });
  });

  test("tells what could not be started as its only line, and on standard error", async () => {
    const ended = await runHere(makePlace(), ["--mode", "json", "--session", "nothing", "x"]);
    expect(ended.code).toBe(1);
    expect(lines(ended.stdout)).toEqual([
      {
        type: "error",
        code: "session-not-found",
        message: "Session not found: nothing",
        hint: expect.stringContaining("--continue"),
        data: { reference: "nothing" },
      },
    ]);
    expect(ended.stderr).toContain("bough: Session not found: nothing\n");
  });

  test("ends a failed run with its failure and the code for it", async () => {
    const ended = await runHere(makePlace(), ["--mode", "json", "--model", "openai/gpt-5-nano", "x"]);
    expect([ended.code, lines(ended.stdout).at(-1)]).toMatchObject([
      6,
      { type: "run_end", outcome: { kind: "failed", failure: { kind: "no-key" } } },
    ]);
  });
});
