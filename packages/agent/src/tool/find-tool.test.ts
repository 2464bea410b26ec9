import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { searchTree } from "./search-tree.test-support.js";
import { NO, workshop } from "./tool-context.test-support.js";

describe("finding", () => {
  const rows: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{ pattern: "*.md" }, [".hidden/note.md", "README.md", "build.md"]],
    [{ pattern: "src/*.ts" }, ["Nothing found"]],
    [{ pattern: "src/**/*.ts" }, ["src/deep/big.gen.ts", "src/dist/in.ts"]],
    [{ pattern: "*.log" }, ["kept.log", "src/special.log", "sub/inner.log"]],
    [{ pattern: "*.{TS,md}", path: "src" }, ["src/Case.TS"]],
    [{ pattern: "**", path: "a" }, ["a/z.ts"]],
    [{ pattern: "link*" }, ["link-folder", "link.ts"]],
    [{ pattern: "*", kind: "folder" }, [".hidden/", "a/", "empty-folder/", "src/", "src/deep/", "src/dist/", "sub/"]],
    [{ pattern: "a*", kind: "any" }, ["a/", "a-b.ts", "a.ts"]],
    [{ pattern: "node_modules/p/*" }, ["Nothing found"]],
    [{ pattern: ".git/*" }, ["Nothing found"]],
    [{ pattern: "*", path: "node_modules" }, ["node_modules/p/index.ts"]],
    [
      { pattern: "*.ts", limit: 2 },
      ["a/z.ts", "a-b.ts", "[Showing the first 2 of 14. Narrow the pattern or the path]"],
    ],
  ];
  test.each(rows)("%j", async (query, expected) => {
    const shop = workshop();
    searchTree(shop);
    expect((await shop.text("find", query)).split("\n")).toEqual(expected);
    expect(shop.asked).toEqual([]);
  });

  test("counts all that match, also those that are not shown", async () => {
    const shop = workshop();
    for (let index = 0; index < 30; index++) shop.put(`f${index}`, "");
    expect((await shop.call("find", { pattern: "f*", limit: 7 })).details).toEqual({ found: 30, truncated: true });
  });

  test("a pattern with many stars over a name that does not fit ends at once", async () => {
    const shop = workshop();
    shop.put(`${"a".repeat(200)}c`, "");
    expect(await shop.text("find", { pattern: `${"a*".repeat(20)}b` })).toBe("Nothing found");
    expect(await shop.text("find", { pattern: `${"a*".repeat(20)}c` })).toContain("aaac");
  });

  test("outside asks; a pattern cannot lead there", async () => {
    const shop = workshop();
    searchTree(shop);
    expect([
      await shop.failure("find", { pattern: "*", path: "../outside" }, { decision: NO }),
      await shop.text("find", { pattern: "*", path: "../outside" }),
      await shop.text("find", { pattern: "link-folder/*" }),
      await shop.failure("find", { pattern: "../outside/*" }),
      await shop.failure("find", { pattern: "@(..)/outside/*", path: "a.ts" }),
      await shop.failure("find", { pattern: "@(..)/outside/*" }),
      await shop.text("find", { pattern: "[.][.]/outside/*" }),
    ]).toEqual([
      "The user said no.",
      join(shop.outside, "secret.ts"),
      "Nothing found",
      "A pattern cannot go up (..): give the folder as path and the rest as pattern",
      "a.ts is a file, not a folder",
      "Patterns such as +(a|b) are not supported; use {a,b}",
      "Nothing found",
    ]);
    const question = { tool: "find", action: "read", target: shop.outside };
    expect(shop.asked).toEqual([question, question]);
  });
});

describe("listing", () => {
  test("is sorted, shows hidden entries, marks folders, links and what is ignored, with sizes on request", async () => {
    const shop = workshop();
    shop.put(".gitignore", "*.log\ndist/\n");
    shop.put("b.txt", "12345");
    shop.put("a/x", "");
    shop.put("dist/x", "");
    shop.put("x.log", "1");
    await shop.text("bash", { command: "ln -s ../outside away" });
    expect([await shop.text("ls", {}), await shop.text("ls", { path: ".", sizes: true })]).toEqual([
      ".gitignore\na/\naway -> ../outside\nb.txt\ndist/  (ignored)\nx.log  (ignored)",
      ".gitignore  12\na/\naway -> ../outside\nb.txt  5\ndist/  (ignored)\nx.log  1  (ignored)",
    ]);
  });

  test("an empty folder, a limit, a file and a missing folder", async () => {
    const shop = workshop();
    expect(await shop.text("ls", {})).toBe("(The folder is empty.)");
    for (const name of ["c", "a", "b"]) shop.put(name, "");
    expect(await shop.call("ls", { limit: 2 })).toEqual({
      content: [{ type: "text", text: "a\nb\n[Showing the first 2 of 3. Raise limit, or use find]" }],
      details: { path: shop.cwd, entries: 3, truncated: true },
    });
    expect([await shop.failure("ls", { path: "a" }), await shop.failure("ls", { path: "missing" })]).toEqual([
      "a is a file: use read",
      `No such file or folder: ${join(shop.cwd, "missing")}`,
    ]);
  });

  test("outside asks", async () => {
    const shop = workshop();
    expect(await shop.failure("ls", { path: ".." }, { decision: NO })).toBe("The user said no.");
    expect(shop.asked).toEqual([{ tool: "ls", action: "read", target: join(shop.cwd, "..") }]);
  });
});
