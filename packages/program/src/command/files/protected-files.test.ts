/** Moves and restores ask on their own about files that decide what runs, and about what another machine recorded. */

import type { EntryId } from "@bough/session/entry/index.js";
import { Origins } from "@bough/session/session/internal.js";
import { describe, expect, test } from "vitest";
import { bash, filesContext, step } from "./files-context.test-support.js";

async function afterARun(options: Parameters<typeof filesContext>[1] = {}) {
  const place = filesContext(
    ["hello", ...step(bash("mkdir .vscode; echo x > .vscode/tasks.json; echo two > a.ts"))],
    options,
  );
  await place.agent.prompt("first");
  await place.agent.prompt("second");
  /** Says of everything so far that it came from another machine. */
  const arrive = () => {
    const lines = place.session.getEntries().map(({ id }) => ({ id, replica: { id: "r1", name: "desktop" } }));
    new Origins(place.home, place.session.getSessionId()).add(lines);
  };
  return { ...place, arrive, leaf: place.session.getLeafId() as EntryId };
}

const FOLLOW = { settings: { files: { onMove: "follow" } }, onMove: "follow" } as const;

describe("files that decide what runs", () => {
  test("have a separate question after the one about files; no leaves them and restores the rest", async () => {
    const { run, read, prompt, guardedAsked, questions } = await afterARun({ answers: ["both"], guarded: ["keep"] });
    const outcome = await run(`/branch-here ${prompt("second")}`);
    expect([questions.length, guardedAsked]).toEqual([1, [[".vscode/tasks.json"]]]);
    expect([read("a.ts"), read(".vscode/tasks.json")]).toEqual(["one\n", "x\n"]);
    expect(outcome).toHaveProperty(
      "message",
      expect.stringContaining("Left alone, because it decides what runs: .vscode/tasks.json."),
    );
  });

  test("are restored after a yes", async () => {
    const { run, read, prompt } = await afterARun({ answers: ["both"], guarded: ["take"] });
    await run(`/branch-here ${prompt("second")}`);
    expect([read("a.ts"), read(".vscode/tasks.json")]).toEqual(["one\n", undefined]);
  });

  test("stop everything if the question is cancelled", async () => {
    const { run, read, prompt, session, leaf } = await afterARun({ answers: ["both"], guarded: [undefined] });
    expect(await run(`/branch-here ${prompt("second")}`)).toMatchObject({ kind: "unchanged" });
    expect([read("a.ts"), session.getLeafId()]).toEqual(["two\n", leaf]);
  });

  test("are asked about even if files are restored without a question, and stay if Bough cannot ask", async () => {
    const asked = await afterARun({ ...FOLLOW, guarded: ["keep"] });
    await asked.run(`/branch-here ${asked.prompt("second")}`);
    expect([asked.questions, asked.guardedAsked]).toEqual([[], [[".vscode/tasks.json"]]]);
    const silent = await afterARun({ ...FOLLOW, silent: true });
    const outcome = await silent.run(`/branch-here ${silent.prompt("second")}`);
    expect([silent.read("a.ts"), silent.read(".vscode/tasks.json")]).toEqual(["one\n", "x\n"]);
    expect(outcome).toMatchObject({ data: { files: { kind: "followed", protected: [".vscode/tasks.json"] } } });
  });

  test("are asked about by /restore", async () => {
    const { run, read, prompt, guardedAsked } = await afterARun({
      answers: ["files", "files"],
      guarded: ["keep", "take"],
    });
    await run(`/restore ${prompt("first")}`);
    expect([read("a.ts"), read(".vscode/tasks.json"), guardedAsked.length]).toEqual(["one\n", "x\n", 1]);
    await run(`/restore ${prompt("first")}`);
    expect(read(".vscode/tasks.json")).toBeUndefined();
  });
});

describe("what another machine recorded", () => {
  test("is asked about although files are restored without a question", async () => {
    const { run, read, prompt, arrive, questions } = await afterARun({ ...FOLLOW, answers: ["conversation"] });
    arrive();
    await run(`/branch-here ${prompt("second")}`);
    expect(questions).toMatchObject([{ plan: { files: [{ path: "a.ts", from: "desktop" }] } }]);
    expect(read("a.ts")).toBe("two\n");
  });

  test("stays if Bough cannot ask, and the answer says why", async () => {
    const { run, read, prompt, arrive } = await afterARun({ ...FOLLOW, silent: true });
    arrive();
    const outcome = await run(`/branch-here ${prompt("second")}`);
    expect(outcome).toMatchObject({ data: { files: { kind: "stayed", differing: 2, recordedOn: ["desktop"] } } });
    expect(outcome).toHaveProperty("message", expect.stringContaining("recorded on another machine (desktop)"));
    expect([read("a.ts"), read(".vscode/tasks.json")]).toEqual(["two\n", "x\n"]);
  });

  test("is applied by a request that names it", async () => {
    const { agent, read, prompt, arrive } = await afterARun(FOLLOW);
    arrive();
    const result = await agent.navigateTree(prompt("second"), { files: "follow", protected: "take" });
    expect(result.files).toMatchObject({ kind: "followed", written: ["a.ts"], deleted: [".vscode/tasks.json"] });
    expect(read("a.ts")).toBe("one\n");
  });
});
