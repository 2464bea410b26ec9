import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { externalEditorCommand } from "./external-editor.js";
import { ProjectFiles } from "./project-files.js";
import { pastedImage } from "./prompt-images.js";
import { rankFiles } from "./rank-files.js";

function project(files: Readonly<Record<string, string>>): string {
  const root = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("the files of a project", () => {
  test("omit what the ignore files of any folder exclude, and keep what a nearer one includes again", async () => {
    const root = project({
      ".gitignore": "*.log\nbuild/\n",
      "a.log": "",
      "a.ts": "",
      "build/out.js": "",
      "logs/.ignore": "!keep.log\n",
      "logs/keep.log": "",
      "logs/drop.log": "",
      ".git/HEAD": "",
      "node_modules/x/index.js": "",
    });
    const files = new ProjectFiles({ root, now: () => 0 });
    expect(await files.list()).toEqual([".gitignore", "a.ts", "logs/", "logs/.ignore", "logs/keep.log"]);
  });

  test("are searched for now and then: the old answer is used until the new one is ready", async () => {
    const root = project({ "a.ts": "" });
    let now = 0;
    const files = new ProjectFiles({ root, now: () => now });
    expect(await files.list()).toEqual(["a.ts"]);
    writeFileSync(join(root, "b.ts"), "");
    expect(await files.list()).toEqual(["a.ts"]);
    now = 20_000;
    expect(await files.list()).toEqual(["a.ts"]);
    let found: readonly string[] = [];
    while (found.length < 2) {
      await new Promise((resolve) => setImmediate(resolve));
      found = await files.list();
    }
    expect(found).toEqual(["a.ts", "b.ts"]);
  });

  test("are limited, the nearest first", async () => {
    const root = project({ "z.ts": "", "a/1.ts": "", "a/2.ts": "", "a/b/c/3.ts": "" });
    expect(await new ProjectFiles({ root, now: () => 0, most: 3 }).list()).toEqual(["a/", "z.ts", "a/1.ts"]);
  });

  test("a folder that is not there has none", async () => {
    expect(await new ProjectFiles({ root: join(tempFolder(), "gone"), now: () => 0 }).list()).toEqual([]);
  });

  test("are ranked: prefix, name, path, then scattered letters; with nothing typed, the top folder", () => {
    const paths = ["src/", "src/lex.ts", "lex/a.ts", "docs/index-lex.md", "lib/a-l-e-x.ts", "other.md"];
    expect(rankFiles(paths, "lex", 10)).toEqual(["lex/a.ts", "src/lex.ts", "docs/index-lex.md", "lib/a-l-e-x.ts"]);
    expect(rankFiles(paths, "LEX", 1)).toEqual(["lex/a.ts"]);
    expect(rankFiles(paths, "", 10)).toEqual(["src/", "other.md"]);
  });
});

describe("what is pasted", () => {
  test("is an image where it is nothing but the path of one", async () => {
    const root = project({ "a b.png": "x", "c.txt": "x" });
    const results = await Promise.all(
      ["a\\ b.png", "'a b.png'", `file://${encodeURI(join(root, "a b.png"))}`, "c.txt", "gone.png", "see a b.png"].map(
        (text) => pastedImage(text, root),
      ),
    );
    expect(results).toEqual([
      '@"a b.png" ',
      '@"a b.png" ',
      `@"${join(root, "a b.png")}" `,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the command of the person's editor", () => {
  test("comes from the setting, then VISUAL, then EDITOR", () => {
    const environment = { VISUAL: "code --wait", EDITOR: "nano" };
    expect([
      externalEditorCommand({ command: "hx", environment }),
      externalEditorCommand({ environment }),
      externalEditorCommand({ environment: { ...environment, VISUAL: " " } }),
    ]).toEqual(["hx", "code --wait", "nano"]);
  });
});
