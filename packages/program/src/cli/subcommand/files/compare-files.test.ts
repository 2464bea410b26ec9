/** `bough compare` and `/compare` with recorded files. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { expect, test } from "vitest";
import { testContext } from "../../../command/command-context.test-support.js";
import { runCommandLine } from "../../../command/index.js";
import { projectPlace } from "./files-command.test-support.js";

async function twoBranches() {
  const place = await projectPlace();
  const { session, files, say, step } = place;
  place.write({ "a.txt": "one\n" });
  const first = say("first");
  await step("left", { "a.txt": "left\n", "left.txt": "x\n" });
  await files.follow(first, { plan: await files.plan(first), move: () => session.branch(first) });
  await step("right", { "a.txt": "right\n", "right.txt": "y\nz\n" });
  return place;
}

test("lists how the files of the two branches differ, also what a shell command did; --patch has the diff", async () => {
  const { session, bough } = await twoBranches();
  session.close();
  const { code, stdout } = await bough("compare", "#1", "#2", "--width", "80");
  expect(code).toBe(0);
  expect(stdout).toMatch(/files {2}1 only in #1 · 1 in both · 1 only in #2/);
  expect(stdout.slice(stdout.indexOf("Files from"))).toBe(
    "Files from #1 to #2\nM a.txt      +1 -1\nD left.txt   -1\nA right.txt  +2\n3 files changed, 3 lines added, 2 removed\n",
  );
  expect((await bough("compare", "#1", "#2", "--patch")).stdout).toContain("@@ -1,1 +1,1 @@\n-left\n+right\n");
  const { changed, differences } = JSON.parse((await bough("compare", "#1", "#2", "--json")).stdout);
  expect(changed).toEqual({ onlyA: ["left.txt"], both: ["a.txt"], onlyB: ["right.txt"] });
  expect(differences).toMatchObject([
    { path: "a.txt", change: "changed", added: 1, removed: 1 },
    { path: "left.txt", change: "deleted" },
    { path: "right.txt", change: "added" },
  ]);
});

test("without the stored contents it names the files and compares the conversation all the same", async () => {
  const { session, bough, home } = await twoBranches();
  session.close();
  rmSync(join(home, "bough", "files"), { recursive: true });
  const { code, stdout } = await bough("compare", "#1", "#2");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^M a.txt +content not on this machine$/m)]);
});

test("/compare says the same in a front end without screens", async () => {
  const { session, home, cwd } = await twoBranches();
  const { context } = testContext({ session });
  const outcome = await runCommandLine({ ...context, cwd, home: join(home, "bough") }, "/compare #1 #2");
  expect(outcome).toMatchObject({
    kind: "done",
    message: expect.stringMatching(
      /Files: 1 only here, 1 in both, 1 only there\n {2}M a.txt {6}\+1 -1\n {2}D left.txt {3}-1\n {2}A right.txt {2}\+2\n3 files changed/,
    ),
    data: { changed: { both: ["a.txt"] }, differences: [{ path: "a.txt" }, {}, {}] },
  });
  expect(session.getLeafId() as EntryId).toBeDefined();
});
