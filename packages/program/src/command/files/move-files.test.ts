/** Commands that move ask about files, and report what was done with them. Real files, real tools. */
import { describe, expect, test } from "vitest";
import { bash, edit, filesContext, step } from "./files-context.test-support.js";

const TWO_RUNS = [...step(edit("a.ts", "one", "two")), ...step(bash("echo broken > a.ts; echo new > new.txt"))];

async function afterTwoRuns(options: Parameters<typeof filesContext>[1] = {}) {
  const place = filesContext(TWO_RUNS, options);
  await place.agent.prompt("first");
  await place.agent.prompt("second");
  return { ...place, leaf: place.session.getLeafId() };
}

/** Each moves to just before the second prompt. */
const WAYS_BACK: readonly (readonly [string, (second: string) => string])[] = [
  ["/pop", () => "/pop --no-summary"],
  ["/branch-here", (id) => `/branch-here ${id}`],
  ["/fork", (id) => `/fork ${id}`],
];

describe.each(WAYS_BACK)("%s", (_, line) => {
  test("asks, and takes conversation and files along", async () => {
    const { run, read, questions, prompt } = await afterTwoRuns({ answers: ["both"] });
    const outcome = await run(line(prompt("second")));
    expect(questions).toMatchObject([
      { about: "move", target: "second", plan: { files: [{ path: "a.ts" }, { path: "new.txt", wanted: null }] } },
    ]);
    expect(outcome).toMatchObject({ kind: "done", editorText: "second", data: { files: { kind: "followed" } } });
    expect(outcome).toHaveProperty("message", expect.stringContaining("Restored 1 file, deleted 1."));
    expect([read("a.ts"), read("new.txt")]).toEqual(["two\n", undefined]);
  });

  test("conversation only: files stay, and it says so", async () => {
    const { run, read, prompt } = await afterTwoRuns({ answers: ["conversation"] });
    const outcome = await run(line(prompt("second")));
    expect(outcome).toHaveProperty(
      "message",
      expect.stringContaining("Files unchanged: 2 files on disk differ from this position."),
    );
    expect(read("a.ts")).toBe("broken\n");
  });

  test("files only: the conversation stays, and the files that were there can be had back", async () => {
    const { run, read, session, prompt, leaf } = await afterTwoRuns({ answers: ["files", "files"] });
    const file = session.getSessionFile();
    const outcome = await run(line(prompt("second")));
    expect(outcome).toMatchObject({
      kind: "done",
      message: "Restored 1 file, deleted 1. The conversation stays here.",
      hint: `To undo this: /restore ${leaf}`,
    });
    expect([read("a.ts"), session.getSessionFile(), session.getBranchIds().includes(leaf as string)]).toEqual([
      "two\n",
      file,
      true,
    ]);
  });

  test("cancelled: nothing changes", async () => {
    const { run, read, session, prompt, leaf } = await afterTwoRuns({ answers: ["stay"] });
    expect(await run(line(prompt("second")))).toEqual({ kind: "unchanged", message: "Nothing changed." });
    expect([read("a.ts"), session.getLeafId()]).toEqual(["broken\n", leaf]);
  });
});

test("/switch to a branch asks for the files of its end; /undo and /redo walk with them", async () => {
  const { run, read, questions, prompt, agent } = await afterTwoRuns({ answers: ["both", "both", "both", "both"] });
  await run(`/branch-here ${prompt("second")}`);
  expect(read("a.ts")).toBe("two\n");
  expect(await run("/undo")).toMatchObject({ message: expect.stringContaining("Restored 2 files.") });
  expect([read("a.ts"), read("new.txt")]).toEqual(["broken\n", "new\n"]);
  await run("/redo");
  expect(read("a.ts")).toBe("two\n");
  await agent.runBash("true");
  await run("/switch #1");
  expect([read("a.ts"), questions.length]).toEqual(["broken\n", 4]);
});

test("asks nothing without differences", async () => {
  const { run, questions, agent } = filesContext(["hello", "there"], { answers: ["stay"] });
  await agent.prompt("first");
  await agent.prompt("second");
  expect(await run("/pop --no-summary")).toMatchObject({ kind: "done" });
  expect(questions).toEqual([]);
});

test("the settings follow and stay are not asked about, and count at once", async () => {
  const follow = await afterTwoRuns({ settings: { files: { onMove: "follow" } } });
  await follow.run("/pop --no-summary");
  expect([follow.read("a.ts"), follow.questions]).toEqual(["two\n", []]);
  const stay = await afterTwoRuns({ settings: { files: { onMove: "stay" } } });
  expect(await stay.run("/pop --no-summary")).toHaveProperty("message", expect.stringContaining("Files unchanged"));
  expect([stay.read("a.ts"), stay.questions]).toEqual(["broken\n", []]);
  stay.context.settings.change("files", { onMove: "follow" });
  await stay.run("/undo");
  await stay.run("/pop --no-summary");
  expect([stay.read("a.ts"), stay.questions]).toEqual(["two\n", []]);
});

test("if Bough cannot ask, files stay, and the outcome says so", async () => {
  const { run, read } = await afterTwoRuns({ silent: true });
  expect(await run("/pop --no-summary")).toMatchObject({ data: { files: { kind: "stayed", differing: 2 } } });
  expect(read("a.ts")).toBe("broken\n");
});

describe("a file that was changed outside of the session", () => {
  async function changed(options: Parameters<typeof filesContext>[1]) {
    const place = await afterTwoRuns(options);
    place.write("a.ts", "mine\n");
    return place;
  }

  test("is kept", async () => {
    const { run, read, conflictsAsked } = await changed({ answers: ["both"], conflicts: [{ "a.ts": "keep" }] });
    expect(await run("/pop --no-summary")).toHaveProperty(
      "message",
      expect.stringContaining("Deleted 1 file. 1 file kept as you changed it."),
    );
    expect([read("a.ts"), read("new.txt"), conflictsAsked]).toEqual(["mine\n", undefined, [["a.ts"]]]);
  });

  test("is taken, and restored with /undo", async () => {
    const { run, read } = await changed({ answers: ["both", "both"], conflicts: [{ "a.ts": "take" }] });
    expect(await run("/pop --no-summary")).toHaveProperty(
      "message",
      expect.stringContaining("Restored 1 file, deleted 1."),
    );
    expect(read("a.ts")).toBe("two\n");
    await run("/undo");
    expect(read("a.ts")).toBe("mine\n");
  });

  test("stops the move", async () => {
    const { run, read, session, leaf } = await changed({ answers: ["both"], conflicts: [undefined] });
    expect(await run("/pop --no-summary")).toEqual({ kind: "unchanged", message: "Nothing changed." });
    expect([read("a.ts"), read("new.txt"), session.getLeafId()]).toEqual(["mine\n", "new\n", leaf]);
  });

  test("is asked about even if files always follow", async () => {
    const { run, conflictsAsked, questions } = await changed({
      settings: { files: { onMove: "follow" } },
      conflicts: [{ "a.ts": "take" }],
    });
    await run("/pop --no-summary");
    expect([conflictsAsked, questions]).toEqual([[["a.ts"]], []]);
  });
});

describe("/undo and /redo", () => {
  test("right after a run: conversation and files go back to before the prompt, which returns to the editor", async () => {
    const { run, read, questions } = await afterTwoRuns({ answers: ["both"] });
    const outcome = await run("/undo");
    expect(questions).toMatchObject([{ about: "undo", target: "second" }]);
    expect(outcome).toMatchObject({ kind: "done", editorText: "second" });
    expect([read("a.ts"), read("new.txt")]).toEqual(["two\n", undefined]);
  });

  test("each one goes a step further, over runs and moves in one list, with the files", async () => {
    const answers = Array.from({ length: 12 }, () => "both" as const);
    const place = filesContext([...TWO_RUNS, ...step(bash("echo other > a.ts"))], { answers });
    await place.agent.prompt("first");
    await place.agent.prompt("second");
    await place.run(`/branch-here ${place.prompt("second")}`);
    await place.agent.prompt("third");
    const seen = async (line: string) => {
      await place.run(line);
      return [place.read("a.ts")?.trim(), place.read("new.txt")?.trim()];
    };
    expect([await seen("/undo"), await seen("/undo"), await seen("/undo"), await seen("/undo")]).toEqual([
      ["two", undefined],
      ["broken", "new"],
      ["two", undefined],
      ["one", undefined],
    ]);
    expect(await place.run("/undo")).toEqual({ kind: "unchanged", message: "Nothing to undo in this session." });
    expect([await seen("/redo"), await seen("/redo"), await seen("/redo"), await seen("/redo")]).toEqual([
      ["two", undefined],
      ["broken", "new"],
      ["two", undefined],
      ["other", undefined],
    ]);
    expect(await place.run("/redo")).toEqual({ kind: "unchanged", message: "Nothing to redo." });
  });

  test("files only: the conversation stays, and the next one is about the step before", async () => {
    const { run, read, questions, session, leaf } = await afterTwoRuns({ answers: ["files", "files"] });
    expect(await run("/undo")).toMatchObject({ kind: "done" });
    expect(read("a.ts")).toBe("two\n");
    expect(await run("/undo")).toMatchObject({ kind: "done" });
    expect([read("a.ts"), session.getBranchIds().includes(leaf as string)]).toEqual(["one\n", true]);
    expect(questions.map(({ target }) => target)).toEqual(["second", "first"]);
    expect(await run("/undo")).toMatchObject({ kind: "unchanged" });
  });

  test("if Bough cannot ask, the conversation moves and files stay, unless the setting says follow", async () => {
    const silent = await afterTwoRuns({ silent: true });
    expect(await silent.run("/undo")).toMatchObject({ kind: "done", data: { files: { kind: "stayed" } } });
    expect(silent.read("a.ts")).toBe("broken\n");
    const follow = await afterTwoRuns({ silent: true, settings: { files: { onMove: "follow" } }, onMove: "follow" });
    await follow.run("/undo");
    await follow.run("/undo");
    expect(follow.read("a.ts")).toBe("one\n");
  });

  test("a shell command of your own is a step too", async () => {
    const { agent, run, read, questions } = await afterTwoRuns({ answers: ["both", "both", "both", "both"] });
    await agent.runBash("echo mine > a.ts; rm new.txt");
    expect(await run("/undo")).toMatchObject({ kind: "done" });
    expect(questions).toMatchObject([{ about: "undo-command", target: "echo mine > a.ts; rm new.txt" }]);
    expect([read("a.ts"), read("new.txt")]).toEqual(["broken\n", "new\n"]);
    await run("/undo");
    expect([read("a.ts"), read("new.txt")]).toEqual(["two\n", undefined]);
    await run("/redo");
    await run("/redo");
    expect([read("a.ts"), read("new.txt")]).toEqual(["mine\n", undefined]);
  });
});

test("the diff of the question goes from the disk to what would be there", async () => {
  const { run, questions, write } = await afterTwoRuns({ answers: ["stay"] });
  write("a.ts", "mine\n");
  await run("/pop --no-summary");
  const found = [];
  for await (const { path, change, hunks } of questions[0]?.plan.differences() ?? []) found.push([path, change, hunks]);
  expect(found).toEqual([
    ["a.ts", "changed", "@@ -1,1 +1,1 @@\n-mine\n+two\n"],
    ["new.txt", "deleted", "@@ -1,1 +0,0 @@\n-new\n"],
  ]);
});
