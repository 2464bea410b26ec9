import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { NO, workshop } from "./tool-context.test-support.js";

describe("writing", () => {
  test("creates a file and its folders", async () => {
    const shop = workshop();
    const path = join(shop.cwd, "a/b/c.txt");
    expect(await shop.call("write", { path: "a/b/c.txt", content: "one\ntwo\n" })).toEqual({
      content: [{ type: "text", text: "Created a/b/c.txt (2 lines)" }],
      details: { path, change: "created" },
    });
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
    expect(shop.asked).toEqual([
      { tool: "write", action: "write", target: path, preview: { kind: "create", text: "one\ntwo\n" } },
    ]);
  });

  test("takes a name as long as the system does, also where a character has several bytes", async () => {
    const shop = workshop();
    const name = "名".repeat(85);
    await shop.call("write", { path: name, content: "long" });
    expect(readdirSync(shop.cwd)).toEqual([name]);
  });

  test("replaces a file, keeps its mode, and gives a unified diff", async () => {
    const shop = workshop();
    const path = shop.put("run.sh", "one\ntwo\nthree\n");
    chmodSync(path, 0o750);
    expect(await shop.call("write", { path: "run.sh", content: "one\n2\nthree\nfour\n" })).toEqual({
      content: [{ type: "text", text: "Wrote run.sh (2 lines added, 1 removed)" }],
      details: {
        path,
        change: "changed",
        added: 2,
        removed: 1,
        diff: "--- run.sh\n+++ run.sh\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n",
      },
    });
    expect([statSync(path).mode & 0o777, readFileSync(path, "utf8")]).toEqual([0o750, "one\n2\nthree\nfour\n"]);
  });

  test("writes nothing where the content is the same, and gives no diff for binary or very different files", async () => {
    const shop = workshop();
    const same = shop.put("same.txt", "same\n");
    const binary = shop.put("binary", Buffer.from([0, 1, 2]));
    const other = shop.put("other.txt", Array.from({ length: 5000 }, (_, index) => `a${index}\n`).join(""));
    const { ino } = statSync(same);
    expect([
      (await shop.call("write", { path: "same.txt", content: "same\n" })).details,
      (await shop.call("write", { path: "binary", content: "text" })).details,
      (await shop.call("write", { path: "other.txt", content: "b\n".repeat(5000) })).details,
      statSync(same).ino === ino,
    ]).toEqual([
      { path: same, change: "unchanged" },
      { path: binary, change: "changed" },
      { path: other, change: "changed" },
      true,
    ]);
  });

  test("parallel writes to one file are done in the order of the calls and leave nothing beside it", async () => {
    const shop = workshop();
    const contents = Array.from({ length: 20 }, (_, index) => `${index}:${"x".repeat(100_000)}\n`);
    await Promise.all(contents.map((content) => shop.text("write", { path: "a.txt", content }, { callId: "same" })));
    expect(readdirSync(shop.cwd)).toEqual(["a.txt"]);
    expect(readFileSync(join(shop.cwd, "a.txt"), "utf8") === contents.at(-1)).toBe(true);
  });

  test("an edit waits for the write before it, though that one has to ask first", async () => {
    const shop = workshop();
    const slow = async () => {
      for (let round = 0; round < 100; round++) await nextRound();
      return { allowed: true } as const;
    };
    const [, edited] = await Promise.all([
      shop.text("write", { path: "a.txt", content: "one\n" }, { permit: slow }),
      shop.text("edit", { path: "./a.txt", edits: [{ oldText: "one", newText: "two" }] }),
    ]);
    expect([edited.split("\n")[0], readFileSync(join(shop.cwd, "a.txt"), "utf8")]).toEqual([
      "Edited a.txt in 1 place (1 line added, 1 removed)",
      "two\n",
    ]);
  });

  test("stopped or failed, it leaves the old file and nothing else", async () => {
    const shop = workshop();
    shop.put("a.txt", "old");
    shop.put("folder/in.txt", "");
    const controller = new AbortController();
    const permit = async () => {
      controller.abort();
      return { allowed: true } as const;
    };
    const stopped = await shop.failure(
      "write",
      { path: "a.txt", content: "new" },
      { signal: controller.signal, permit },
    );
    expect([
      stopped,
      await shop.failure("write", { path: "folder", content: "" }),
      await shop.failure("write", { path: "a.txt/b.txt", content: "" }),
      readFileSync(join(shop.cwd, "a.txt"), "utf8"),
      readdirSync(shop.cwd),
    ]).toEqual([
      "Stopped before it finished.",
      `${join(shop.cwd, "folder")} is a folder`,
      `Part of the path is a file, not a folder: ${join(shop.cwd, "a.txt/b.txt")}`,
      "old",
      ["a.txt", "folder"],
    ]);
  });

  test("a refused write changes nothing", async () => {
    const shop = workshop();
    shop.put("a.txt", "old");
    expect(await shop.failure("write", { path: "a.txt", content: "new" }, { decision: NO })).toBe("The user said no.");
    expect(await shop.failure("write", { path: "b/c.txt", content: "new" }, { decision: NO })).toBe(
      "The user said no.",
    );
    expect([readFileSync(join(shop.cwd, "a.txt"), "utf8"), readdirSync(shop.cwd)]).toEqual(["old", ["a.txt"]]);
  });

  test("asks about the target of a link, even if it does not exist yet, and writes there", async () => {
    const shop = workshop();
    const far = join(shop.outside, "far.txt");
    writeFileSync(far, "far");
    symlinkSync(far, join(shop.cwd, "link.txt"));
    symlinkSync("../outside/new.txt", join(shop.cwd, "dangling.txt"));
    symlinkSync("../outside/missing", join(shop.cwd, "folder"));
    for (const path of ["link.txt", "dangling.txt", "folder/deep/a.txt", "../outside/plain.txt"]) {
      await shop.text("write", { path, content: `via ${path}` });
    }
    const targets = ["far.txt", "new.txt", "missing/deep/a.txt", "plain.txt"].map((name) => join(shop.outside, name));
    expect(shop.asked.map((request) => request.target)).toEqual(targets);
    expect(targets.map((path) => readFileSync(path, "utf8"))).toEqual([
      "via link.txt",
      "via dangling.txt",
      "via folder/deep/a.txt",
      "via ../outside/plain.txt",
    ]);
    expect(lstatSync(join(shop.cwd, "link.txt")).isSymbolicLink()).toBe(true);
  });

  test("circular links are an error, not a hang", async () => {
    const shop = workshop();
    symlinkSync("b", join(shop.cwd, "a"));
    symlinkSync("a", join(shop.cwd, "b"));
    expect(await shop.failure("write", { path: "a/x.txt", content: "" })).toMatch(/levels of symbolic links/);
  });
});
