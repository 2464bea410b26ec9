import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO, workshop } from "../tool-context.test-support.js";

const YES = { allowed: true } as const;

describe("the question about a write", () => {
  it("shows the real diff of a file that exists", async () => {
    const shop = workshop();
    shop.put("a.txt", "one\ntwo\nthree\n");
    await shop.text("write", { path: "a.txt", content: "one\n2\nthree\n" });
    expect(shop.asked.map(({ preview }) => preview)).toEqual([
      {
        kind: "change",
        diff: "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
        added: 1,
        removed: 1,
      },
    ]);
  });

  it("says that a file is there where the two cannot be compared", async () => {
    const shop = workshop();
    shop.put("binary", Buffer.from([0, 1, 2]));
    await shop.text("write", { path: "binary", content: "text" });
    expect(shop.asked.map(({ preview }) => preview)).toEqual([{ kind: "replace", text: "text", bytes: 3 }]);
  });

  it("an edit shows its diff too", async () => {
    const shop = workshop();
    shop.put("a.txt", "one\ntwo\n");
    await shop.text("edit", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] });
    expect(shop.asked[0]?.preview).toMatchObject({ kind: "change", added: 1, removed: 1 });
  });
});

describe("what cannot be done fails before anyone is asked", () => {
  it.each([
    ["text that is not there", "edit", { path: "a.txt", edits: [{ oldText: "nowhere", newText: "x" }] }],
    ["text that is there twice", "edit", { path: "a.txt", edits: [{ oldText: "one", newText: "x" }] }],
    ["a missing file", "edit", { path: "b.txt", edits: [{ oldText: "one", newText: "x" }] }],
    ["a folder", "write", { path: "folder", content: "" }],
    ["a file as a folder", "write", { path: "a.txt/b.txt", content: "" }],
  ])("%s", async (_what, tool, input) => {
    const shop = workshop();
    shop.put("a.txt", "one one\n");
    shop.put("folder/x", "");
    await shop.failure(tool, input);
    expect(shop.asked).toEqual([]);
  });

  it("content that is already there asks nothing", async () => {
    const shop = workshop();
    shop.put("a.txt", "same\n");
    expect(await shop.text("write", { path: "a.txt", content: "same\n" })).toBe(
      "a.txt already has exactly this content",
    );
    expect(shop.asked).toEqual([]);
  });

  it("nothing is revealed about a file outside before it is allowed", async () => {
    const shop = workshop();
    const path = join(shop.outside, "secret.txt");
    writeFileSync(path, "the password is x\n");
    const edits = [{ oldText: "password was", newText: "" }];
    const refused = await shop.failure("edit", { path, edits }, { decision: NO });
    const same = await shop.failure("write", { path, content: "the password is x\n" }, { decision: NO });
    expect([refused, same]).toEqual(["The user said no.", "The user said no."]);
    expect(shop.asked).toEqual([
      { tool: "edit", action: "write", target: path, note: "This change does not fit the file and will fail." },
      { tool: "write", action: "write", target: path, note: "The file already has exactly this content." },
    ]);
  });

  it("what was agreed to is what is written: a file that changed during the question is left alone", async () => {
    const shop = workshop();
    const path = shop.put("a.txt", "one\n");
    const permit = async () => {
      writeFileSync(path, "somebody else's work\n");
      return YES;
    };
    expect(await shop.failure("write", { path: "a.txt", content: "two\n" }, { permit })).toMatch(
      /was changed by another program/,
    );
    expect(
      await shop.failure(
        "write",
        { path: "new.txt", content: "two\n" },
        {
          permit: async () => {
            writeFileSync(join(shop.cwd, "new.txt"), "theirs");
            return YES;
          },
        },
      ),
    ).toMatch(/was changed by another program/);
    expect([readFileSync(path, "utf8"), readFileSync(join(shop.cwd, "new.txt"), "utf8")]).toEqual([
      "somebody else's work\n",
      "theirs",
    ]);
    expect(readdirSync(shop.cwd).sort()).toEqual(["a.txt", "new.txt"]);
  });
});

// Systems without descriptors in /proc check the path again instead.
describe.each(["linux", "darwin"])(
  "a folder that is swapped for a link between the question and the write, on %s",
  (platform) => {
    const own = process.platform;
    beforeEach(() => void Object.defineProperty(process, "platform", { value: platform }));
    afterEach(() => void Object.defineProperty(process, "platform", { value: own }));

    it.each([
      ["the folder of the file", "src/a.txt", "src"],
      ["a folder further up", "src/deep/a.txt", "src"],
      ["a folder on the way that is still to be made", "new/deep/a.txt", "new"],
    ])("%s", async (_what, path, swappedFolder) => {
      const shop = workshop();
      const isNew = swappedFolder === "new";
      if (!isNew) shop.put(path, "one\n");
      const permit = async () => {
        const folder = join(shop.cwd, swappedFolder);
        if (!isNew) renameSync(folder, join(shop.cwd, "moved"));
        symlinkSync(shop.outside, folder);
        return YES;
      };
      const failure = await shop.failure("write", { path, content: "two\n" }, { permit });
      expect(failure).toMatch(/A symbolic link appeared in the path/);
      expect(readdirSync(shop.outside)).toEqual([]);
      if (!isNew) expect(readFileSync(join(shop.cwd, path.replace("src", "moved")), "utf8")).toBe("one\n");
    });

    it("the file itself", async () => {
      const shop = workshop();
      const path = shop.put("a.txt", "one\n");
      const far = join(shop.outside, "far.txt");
      writeFileSync(far, "one\n");
      const permit = async () => {
        rmSync(path);
        symlinkSync(far, path);
        return YES;
      };
      const edits = [{ oldText: "one", newText: "two" }];
      expect(await shop.failure("edit", { path: "a.txt", edits }, { permit })).toMatch(
        /A symbolic link appeared in the path/,
      );
      expect(readFileSync(far, "utf8")).toBe("one\n");
    });

    it("folders that can be entered but not listed are no problem", async () => {
      const shop = workshop();
      shop.put("closed/open/a.txt", "one\n");
      chmodSync(join(shop.cwd, "closed"), 0o311);
      try {
        expect(await shop.text("write", { path: "closed/open/a.txt", content: "two\n" })).toMatch(/^Wrote/);
      } finally {
        chmodSync(join(shop.cwd, "closed"), 0o755);
      }
    });
  },
);

it("the temporary copy of a private file is as private as the file", async () => {
  const shop = workshop();
  const path = shop.put("secret.txt", "old\n");
  chmodSync(path, 0o600);
  const seen: number[] = [];
  let done = false;
  const watching = (async () => {
    while (!done) {
      for (const name of readdirSync(shop.cwd)) {
        if (!name.endsWith(".tmp")) continue;
        const info = statSync(join(shop.cwd, name), { throwIfNoEntry: false });
        if (info !== undefined) seen.push(info.mode & 0o777);
      }
      await nextRound();
    }
  })();
  await shop.text("write", { path: "secret.txt", content: "x".repeat(32 * 1024 * 1024) });
  done = true;
  await watching;
  expect([seen.length > 0, [...new Set(seen)], statSync(path).mode & 0o777]).toEqual([true, [0o600], 0o600]);
});

describe("a hard link to the file with the keys", () => {
  it.each(["rg", null])("is closed to every tool (search with %s)", async (ripgrep) => {
    const shop = workshop();
    const before = process.env.BOUGH_HOME;
    const home = join(shop.outside, "home");
    mkdirSync(home);
    const keys = join(home, "auth.json");
    writeFileSync(keys, '{"anthropic":{"key":"sk-secret"}}', { mode: 0o600 });
    linkSync(keys, join(shop.cwd, "innocent.json"));
    shop.put("other.txt", "sk-secret");
    process.env.BOUGH_HOME = home;
    try {
      const refusal = `${join(shop.cwd, "innocent.json")} contains keys, so tools may not access it`;
      const path = "innocent.json";
      expect([
        await shop.failure("read", { path }),
        await shop.failure("write", { path, content: "x" }),
        await shop.failure("edit", { path, edits: [{ oldText: "sk", newText: "x" }] }),
        await shop.failure("grep", { path, pattern: "sk" }, { tools: { ripgrep } }),
        await shop.text("grep", { pattern: "sk-" }, { tools: { ripgrep } }),
      ]).toEqual([refusal, refusal, refusal, refusal, "other.txt:1: sk-secret"]);
    } finally {
      if (before === undefined) delete process.env.BOUGH_HOME;
      else process.env.BOUGH_HOME = before;
    }
  });
});
