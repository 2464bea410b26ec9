import type { FileState } from "@bough/session/entry/index.js";
import type { FileDifference } from "@bough/session/view/door.js";
import { describe, expect, test } from "vitest";
import type { FilesAnswer, FilesQuestion } from "../../command/index.js";
import { type TestHost, testHost } from "../host/host.test-support.js";
import { askConflicts, askFiles, askProtected } from "./ask-files.js";
import { DIFF_KEYS, showDifferences } from "./show-differences.js";

const state = (hash: string): FileState => ({ hash, mode: "644", size: 120 });
const file = (path: string, wanted: FileState = state("b"), byPerson = false) => ({
  path,
  present: state("a"),
  wanted,
  byPerson,
});
const conflict = (path: string): FilesQuestion["plan"]["conflicts"][number] => ({
  path,
  why: "changed",
  present: state("m"),
  expected: state("a"),
  wanted: state("b"),
  byPerson: false,
});

const DIFFERENCE: FileDifference = {
  path: "src/lex.ts",
  change: "changed",
  before: state("a"),
  after: state("b"),
  added: 1,
  removed: 1,
  hunks: "@@ -1,2 +1,2 @@\n import a\n-broken\n+working\n",
};
const ADDED: FileDifference = {
  path: "src/new.ts",
  change: "added",
  before: null,
  after: state("b"),
  added: 1,
  removed: 0,
  hunks: "@@ -0,0 +1,1 @@\n+new\n",
};

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const QUESTION: FilesQuestion = {
  about: "move",
  target: "fix the failing edge cases",
  before: true,
  plan: {
    root: "/project",
    files: [file("src/lex.ts"), file("notes.md", state("b"), true), file("out.txt", null)],
    conflicts: [conflict("src/cli.ts")],
    missing: [{ path: "data.bin", hash: "c", wanted: state("c"), why: "missing" }],
    bytes: 240,
    uncovered: [{ path: "big.iso", why: "too-large" }],
    differences: () => each([DIFFERENCE, ADDED]),
  },
};

const withConflicts = (...conflicts: readonly ReturnType<typeof conflict>[]): FilesQuestion => ({
  ...QUESTION,
  plan: { ...QUESTION.plan, conflicts },
});

async function answerTo(press: (host: TestHost) => void, question: FilesQuestion = QUESTION): Promise<FilesAnswer> {
  const host = testHost();
  const answer = askFiles(host, question);
  press(host);
  return answer;
}

describe("the question whether to restore files", () => {
  test("at 40 columns", () => {
    const host = testHost({ width: 40, height: 24 });
    void askFiles(host, QUESTION);
    expect(host.screen).toMatchInlineSnapshot(`
      " Files differ before "fix the failing
       edge cases": 2 files to write (240 B),
       1 to delete, 1 conflict, 1 missing.
         M src/lex.ts
         D out.txt
         M notes.md  overwrites your own chan…
         ! src/cli.ts  changed outside of thi…
         ? data.bin  content not on this mach…
       1 file left alone, not recorded:
       big.iso
       ❯ 1 Enter  conversation and files
         2 c      conversation only
         3 f      files only
         4 d      show the diff
         5 Esc    cancel"
    `);
  });

  test("at 80 columns", () => {
    const host = testHost({ width: 80, height: 24 });
    void askFiles(host, QUESTION);
    expect(host.screen).toMatchInlineSnapshot(`
      " Files differ before "fix the failing edge cases": 2 files to write (240 B), 1
       to delete, 1 conflict, 1 missing.
         M src/lex.ts
         D out.txt
         M notes.md  overwrites your own changes (saved first)
         ! src/cli.ts  changed outside of this session
         ? data.bin  content not on this machine
       1 file left alone, not recorded: big.iso
       ❯ 1 Enter  conversation and files  current files are saved first
         2 c      conversation only       files are unchanged
         3 f      files only              the conversation stays here
         4 d      show the diff           then asks again
         5 Esc    cancel                  nothing changes"
    `);
  });

  test("at 120 columns", () => {
    const host = testHost({ width: 120, height: 24 });
    void askFiles(host, QUESTION);
    expect(host.screen).toMatchInlineSnapshot(`
      " Files differ before "fix the failing edge cases": 2 files to write (240 B), 1 to delete, 1 conflict, 1 missing.
         M src/lex.ts
         D out.txt
         M notes.md  overwrites your own changes (saved first)
         ! src/cli.ts  changed outside of this session
         ? data.bin  content not on this machine
       1 file left alone, not recorded: big.iso
       ❯ 1 Enter  conversation and files  current files are saved first
         2 c      conversation only       files are unchanged
         3 f      files only              the conversation stays here
         4 d      show the diff           then asks again
         5 Esc    cancel                  nothing changes"
    `);
  });

  test("in ASCII, about the last run", () => {
    const host = testHost({ width: 80, height: 24, glyphs: "ascii" });
    void askFiles(host, { ...QUESTION, about: "undo", plan: { ...QUESTION.plan, uncovered: [] } });
    expect(host.screen).toMatchInlineSnapshot(`
      " The last run changed files: "fix the failing edge cases". To undo it: 2 files
       to write (240 B), 1 to delete, 1 conflict, 1 missing.
         M src/lex.ts
         D out.txt
         M notes.md  overwrites your own changes (saved first)
         ! src/cli.ts  changed outside of this session
         ? data.bin  content not on this machine
       > 1 Enter  conversation and files  back to before the prompt
         2 c      conversation only       files are unchanged
         3 f      files only              the conversation stays here
         4 d      show the diff           then asks again
         5 Esc    cancel                  nothing changes"
    `);
  });

  test("about files alone", () => {
    const host = testHost({ width: 80, height: 24 });
    void askFiles(host, { ...QUESTION, about: "restore" });
    expect(host.screen).toMatchInlineSnapshot(`
      " Files of "fix the failing edge cases": 2 files to write (240 B), 1 to delete, 1
       conflict, 1 missing. The conversation stays here.
         M src/lex.ts
         D out.txt
         M notes.md  overwrites your own changes (saved first)
         ! src/cli.ts  changed outside of this session
         ? data.bin  content not on this machine
       1 file left alone, not recorded: big.iso
       ❯ 1 Enter  restore        current files are saved first
         2 d      show the diff  then asks again
         3 Esc    cancel         nothing changes"
    `);
  });

  test("about a command of the person", async () => {
    const host = testHost({ width: 80, height: 24 });
    const target = "echo broken > notes.txt";
    const question: FilesQuestion = {
      ...QUESTION,
      about: "undo-command",
      target,
      plan: { ...QUESTION.plan, uncovered: [] },
    };
    void askFiles(host, question);
    expect(host.screen).toMatchInlineSnapshot(`
      " Your command changed files: "echo broken > notes.txt". To undo it: 2 files to
       write (240 B), 1 to delete, 1 conflict, 1 missing.
         M src/lex.ts
         D out.txt
         M notes.md  overwrites your own changes (saved first)
         ! src/cli.ts  changed outside of this session
         ? data.bin  content not on this machine
       ❯ 1 Enter  conversation and files  back to before the command
         2 c      conversation only       files are unchanged
         3 f      files only              the conversation stays here
         4 d      show the diff           then asks again
         5 Esc    cancel                  nothing changes"
    `);
    expect(await answerTo((host) => host.press("enter"), question)).toBe("both");
  });

  test("in a low window names what must not be missed", () => {
    const host = testHost({ width: 80, height: 12 });
    const many = Array.from({ length: 60 }, (_, at) => file(`src/part-${at}.ts`));
    void askFiles(host, { ...QUESTION, plan: { ...QUESTION.plan, files: [...many, ...QUESTION.plan.files] } });
    expect(host.screen).toMatchInlineSnapshot(`
      " Files differ before "fix the failing edge cases": 62 files to write (240 B), 1
       to delete, 1 conflict, 1 missing.
         65 paths
       1 file with your own changes (saved first): notes.md
       1 file changed outside of this session: src/cli.ts
       1 file left alone, stored content missing or damaged: data.bin
       1 file left alone, not recorded: big.iso
       ❯ 1 Enter  conversation and files  current files are saved first
         2 c      conversation only       files are unchanged
         3 f      files only              the conversation stays here
         4 d      show the diff           then asks again
         5 Esc    cancel                  nothing changes"
    `);
  });

  test("has one key for each answer, and Esc is to stay", async () => {
    expect(await answerTo((host) => host.press("enter"))).toBe("both");
    expect(await answerTo((host) => host.press("c"))).toBe("conversation");
    expect(await answerTo((host) => host.press("f"))).toBe("files");
    expect(await answerTo((host) => host.press("esc"))).toBe("stay");
    expect(await answerTo((host) => host.press("ctrl+c"))).toBe("stay");
    expect(await answerTo((host) => host.closeAll())).toBe("stay");
    expect(await answerTo((host) => host.press("m", "esc"))).toBe("stay");
    expect(await answerTo((host) => host.press("enter"), { ...QUESTION, about: "restore" })).toBe("files");
  });

  test("d shows the diff, and asks again", async () => {
    const host = testHost({ width: 80, height: 24 });
    const answer = askFiles(host, QUESTION);
    host.press("d");
    await host.settle();
    expect(host.screen).toMatchInlineSnapshot(`
      " From your files to those from before "fix the failing edge cases"
       ───────────────────────────────────────────────────────────────────────────────
       2 files changed, 2 lines added, 1 removed
       M src/lex.ts  +1 -1
       A src/new.ts  +1

       diff --git a/src/lex.ts b/src/lex.ts
       --- a/src/lex.ts
       +++ b/src/lex.ts
       @@ -1,2 +1,2 @@
       1  import a
       2 -broken
       2 +working

       diff --git a/src/new.ts b/src/new.ts
       new file mode 100644
       --- /dev/null
       +++ b/src/new.ts
       @@ -0,0 +1,1 @@
       1 +new
       Esc close   n next file   y copy the patch   ? keys"
    `);
    host.press("esc");
    await host.settle();
    expect(host.top?.name).toBe("files");
    host.press("enter");
    expect(await answer).toBe("both");
  });

  test("names cannot do anything to the terminal", () => {
    const host = testHost({ width: 80, height: 24 });
    void askFiles(host, { ...QUESTION, plan: { ...QUESTION.plan, files: [file("a\n\u001b[2Jb.ts")] } });
    expect(host.screen).not.toContain("\u001b");
    expect(host.screen).toContain("a\\n");
  });
});

describe("files that were changed outside of the session", () => {
  async function answersTo(question: FilesQuestion, keys: readonly string[]) {
    const host = testHost();
    const answers = askConflicts(host, question);
    for (const key of keys) {
      host.press(key);
      await host.settle();
    }
    return answers;
  }

  test("on another branch are named by the branch, not by its last entry", () => {
    const host = testHost({ width: 80, height: 24 });
    const branch = { number: 2, name: "try a lexer" };
    void askFiles(host, { ...QUESTION, before: false, branch });
    expect(host.screen).toContain("Files differ on #2 try a lexer: ");
    expect(host.screen).not.toContain(QUESTION.target);
    const other = testHost({ width: 80, height: 24 });
    void askConflicts(other, { ...withConflicts(conflict("src/cli.ts")), branch });
    expect(other.screen).toContain("take the version of #2  yours is saved first");
  });

  test("of a cherry-pick are called picked", () => {
    const said = (...paths: readonly string[]) => {
      const host = testHost({ width: 100, height: 24 });
      void askConflicts(host, { ...withConflicts(...paths.map((path) => conflict(path))), about: "cherry-pick" });
      return host.screen;
    };
    expect(said("a")).toMatch(/yours is saved first; the picked file$/m);
    expect(said("a", "b")).toMatch(/yours are saved first; the picked files$/m);
  });

  test("one, at 40 columns", () => {
    const host = testHost({ width: 40, height: 24 });
    void askConflicts(host, withConflicts(conflict("src/cli.ts")));
    expect(host.screen).toMatchInlineSnapshot(`
      " 1 file was changed outside of this
       session.
         ! src/cli.ts
       ❯ 1 k    keep mine
         2 t    take the other version
         3 d    show the diff
         4 Esc  stop"
    `);
  });

  test("one, at 80 columns", () => {
    const host = testHost({ width: 80, height: 24 });
    void askConflicts(host, withConflicts(conflict("src/cli.ts")));
    expect(host.screen).toMatchInlineSnapshot(`
      " 1 file was changed outside of this session.
         ! src/cli.ts
       ❯ 1 k    keep mine               nothing is written
         2 t    take the other version  yours is saved first; the file from before "f…
         3 d    show the diff           from yours to theirs
         4 Esc  stop                    nothing changes"
    `);
  });

  test("several, without what no answer can change", () => {
    const host = testHost({ width: 80, height: 24 });
    void askConflicts(
      host,
      withConflicts(conflict("a"), conflict("b"), { ...conflict("c"), why: "folder", present: undefined }),
    );
    expect(host.screen).toMatchInlineSnapshot(`
      " 2 files were changed outside of this session.
         ! a
         ! b
       ❯ 1 k    keep all mine            nothing is written
         2 t    take the other versions  yours are saved first; the files from before…
         3 o    one by one
         4 d    show the diff            from yours to theirs
         5 Esc  stop                     nothing changes"
    `);
  });

  test("are kept or taken, all at once or one by one; Esc stops everything", async () => {
    const one = withConflicts(conflict("a"));
    expect(await answersTo(one, ["k"])).toEqual({ a: "keep" });
    expect(await answersTo(one, ["t"])).toEqual({ a: "take" });
    expect(await answersTo(one, ["esc"])).toBeUndefined();
    const two = withConflicts(conflict("a"), conflict("b"));
    expect(await answersTo(two, ["k"])).toEqual({ a: "keep", b: "keep" });
    expect(await answersTo(two, ["t"])).toEqual({ a: "take", b: "take" });
    expect(await answersTo(two, ["o", "t", "k"])).toEqual({ a: "take", b: "keep" });
    expect(await answersTo(two, ["o", "t", "esc"])).toBeUndefined();
    expect(await answersTo(two, ["esc"])).toBeUndefined();
  });
});

describe("a diff", () => {
  async function shown(items: readonly FileDifference[], width = 80, height = 14) {
    const host = testHost({ width, height });
    void showDifferences(host, { title: "What the last run changed", differences: () => each(items) });
    await host.settle();
    return host;
  }

  test("at 40 columns", async () => {
    expect((await shown([DIFFERENCE, ADDED], 40, 24)).screen).toMatchInlineSnapshot(`
      " What the last run changed
       ───────────────────────────────────────
       2 files changed, 2 lines added, 1 remo…
       M src/lex.ts  +1 -1
       A src/new.ts  +1

       diff --git a/src/lex.ts b/src/lex.ts
       --- a/src/lex.ts
       +++ b/src/lex.ts
       @@ -1,2 +1,2 @@
       1  import a
       2 -broken
       2 +working

       diff --git a/src/new.ts b/src/new.ts
       new file mode 100644
       --- /dev/null
       +++ b/src/new.ts
       @@ -0,0 +1,1 @@
       1 +new
       Esc close  n next file  ? keys"
    `);
  });

  test("at 80 columns", async () => {
    expect((await shown([DIFFERENCE, ADDED], 80, 24)).screen).toMatchInlineSnapshot(`
      " What the last run changed
       ───────────────────────────────────────────────────────────────────────────────
       2 files changed, 2 lines added, 1 removed
       M src/lex.ts  +1 -1
       A src/new.ts  +1

       diff --git a/src/lex.ts b/src/lex.ts
       --- a/src/lex.ts
       +++ b/src/lex.ts
       @@ -1,2 +1,2 @@
       1  import a
       2 -broken
       2 +working

       diff --git a/src/new.ts b/src/new.ts
       new file mode 100644
       --- /dev/null
       +++ b/src/new.ts
       @@ -0,0 +1,1 @@
       1 +new
       Esc close   n next file   y copy the patch   ? keys"
    `);
  });

  test("at 120 columns", async () => {
    expect((await shown([DIFFERENCE, ADDED], 120, 24)).screen).toMatchInlineSnapshot(`
      " What the last run changed
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       2 files changed, 2 lines added, 1 removed
       M src/lex.ts  +1 -1
       A src/new.ts  +1

       diff --git a/src/lex.ts b/src/lex.ts
       --- a/src/lex.ts
       +++ b/src/lex.ts
       @@ -1,2 +1,2 @@
       1  import a
       2 -broken
       2 +working

       diff --git a/src/new.ts b/src/new.ts
       new file mode 100644
       --- /dev/null
       +++ b/src/new.ts
       @@ -0,0 +1,1 @@
       1 +new
       Esc close   n next file   y copy the patch   ? keys"
    `);
  });

  test("says that nothing differs", async () => {
    expect((await shown([])).screen).toContain("No files differ.");
  });

  test("n and N go from file to file, y copies a patch", async () => {
    const host = await shown([DIFFERENCE, ADDED], 80, 8);
    host.press("n");
    expect(host.lines[2]).toBe(" diff --git a/src/lex.ts b/src/lex.ts");
    host.press("n");
    expect(host.screen).toContain("new file mode 100644");
    host.press("N");
    expect(host.lines[2]).toBe(" diff --git a/src/lex.ts b/src/lex.ts");
    host.press("y");
    expect(host.copied.at(-1)).toMatch(
      /^diff --git a\/src\/lex\.ts[\s\S]*\+working\ndiff --git a\/src\/new\.ts[\s\S]*\+new\n$/,
    );
  });

  test("a failure is reported, and what was read stays", async () => {
    const host = testHost({ width: 80, height: 24 });
    const failing = async function* () {
      yield DIFFERENCE;
      throw new Error("The disk is gone");
    };
    void showDifferences(host, { title: "Diff", differences: failing });
    await host.settle();
    expect([host.screen.includes("+working"), host.statusLine?.message]).toEqual([true, "The disk is gone"]);
  });

  test("each key has an effect or a reason", async () => {
    for (const { id, keys } of DIFF_KEYS.actions) {
      const host = await shown([DIFFERENCE, ADDED]);
      expect(host.press(keys[0] as string), id).toBe(true);
    }
  });
});

describe("the question about files that decide what runs", () => {
  const guarded = { ...conflict(".vscode/tasks.json"), why: "runs", from: "desktop" } as const;
  const question: FilesQuestion = { ...QUESTION, plan: { ...QUESTION.plan, protected: [guarded] } };

  test("lists them, says who recorded them, and leaves them alone for Enter", async () => {
    const host = testHost({ width: 80, height: 24 });
    const answer = askProtected(host, question);
    expect(host.screen).toMatchInlineSnapshot(`
      " 1 file decides what runs on this machine. Recorded on desktop.
         ! .vscode/tasks.json
       ❯ 1 n    leave it alone  the rest is restored
         2 y    restore it too  only if you trust what wrote it
         3 d    show the diff
         4 Esc  stop            nothing changes"
    `);
    host.press("enter");
    expect(await answer).toBe("keep");
  });

  test("restores them for y, and stops for Esc", async () => {
    for (const [key, expected] of [
      ["y", "take"],
      ["n", "keep"],
      ["esc", undefined],
    ] as const) {
      const host = testHost({ width: 80, height: 24 });
      const answer = askProtected(host, question);
      host.press(key);
      expect([key, await answer]).toEqual([key, expected]);
    }
  });
});
