import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampledCases } from "../../../../test/support/sampled.js";
import { searchTree } from "./search-tree.test-support.js";
import { NO, workshop } from "./tool-context.test-support.js";

const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
if (!hasRipgrep) console.warn("RIPGREP IS NOT INSTALLED: the two searches are not compared in this run.");
const own = { tools: { ripgrep: null } };

describe.each([
  ["ripgrep", {}],
  ["own", own],
] as const)("searching with %s", (engine, options) => {
  test.skipIf(engine === "ripgrep" && !hasRipgrep)(
    "gives path, line and text, sorted, without what is ignored",
    async () => {
      const shop = workshop();
      searchTree(shop);
      const result = await shop.call("grep", { pattern: "needle" }, options);
      expect(result.details).toEqual({ matches: 17, truncated: false, engine });
      expect(result.content).toEqual([
        {
          type: "text",
          text: [
            ".hidden/note.md:1: needle hidden",
            "README.md:2: needle readme",
            "a/z.ts:2: needle z",
            "a-b.ts:1: needle a-b",
            "a.ts:1: needle a",
            "bom.ts:1: needle bom",
            "build.md:1: needle build.md",
            "kept.log:1: needle kept",
            "latin.ts:1: needle gr\ufffdn",
            `long.ts:1: ${"x".repeat(500)}...`,
            "name with space.ts:1: needle space",
            "no-end.ts:1: needle without end",
            "src/deep/big.gen.ts:1: needle generated deep",
            "src/dist/in.ts:1: needle src dist",
            "src/special.log:1: needle special",
            "sub/inner.log:1: needle of another repository",
            "wide.txt:2: needle wide",
          ].join("\n"),
        },
      ]);
      expect(shop.asked).toEqual([]);
    },
  );

  test.skipIf(engine === "ripgrep" && !hasRipgrep)("refuses a pipe, and passes over one in a folder", async () => {
    const shop = workshop();
    execFileSync("mkfifo", [join(shop.cwd, "pipe")]);
    writeFileSync(join(shop.cwd, "a.txt"), "needle");
    const said = async (path: string) => JSON.stringify(await shop.call("grep", { pattern: "needle", path }, options));
    expect(await said("pipe")).toContain("is a pipe, a device or a socket, not a file");
    expect(await said(".")).toContain("a.txt:1: needle");
  });
});

const QUERIES: readonly Readonly<Record<string, unknown>>[] = [
  { pattern: "needle" },
  { pattern: "NEEDLE", ignoreCase: true },
  { pattern: "^needle [a-z]$" },
  { pattern: "readme$" },
  { pattern: "needle", context: 1 },
  { pattern: "needle", context: 3, limit: 3 },
  { pattern: "needle", limit: 5 },
  { pattern: "needle", glob: "*.ts" },
  { pattern: "needle", glob: "*.log" },
  { pattern: "needle", glob: "*.{md,log}" },
  { pattern: "needle", glob: "!*.ts" },
  { pattern: "needle", glob: "src/**/*.ts" },
  { pattern: "needle", glob: "src/*" },
  { pattern: "needle", glob: "src/" },
  { pattern: "needle", glob: "**/deep/**" },
  { pattern: "needle", glob: "z.ts" },
  { pattern: "needle", glob: "dist/*" },
  { pattern: "needle", glob: "dist/out.ts" },
  { pattern: "needle", glob: "node_modules/**" },
  { pattern: "needle", glob: "link-folder/*" },
  { pattern: "needle", glob: ".git/*" },
  { pattern: "needle", glob: ".hidden/**" },
  { pattern: "needle", path: "src" },
  { pattern: "needle", path: "src", glob: "deep/*.ts" },
  { pattern: "needle", path: "lost.log" },
  { pattern: "needle", path: "README.md", context: 1 },
  { pattern: "needle", path: "node_modules" },
  { pattern: "needle", path: "node_modules/p" },
  { pattern: "needle", path: "vendor", glob: "*.ts" },
  { pattern: "needle", path: "sub" },
  { pattern: "needle", path: "empty-folder" },
  { pattern: "needle", path: ".git" },
  { pattern: "n(e+)dle", literal: true },
  { pattern: "build.md", literal: true },
  { pattern: "(?<=needle )a" },
  { pattern: "-x" },
  { pattern: "nothing has this" },
];

test.skipIf(!hasRipgrep).each(QUERIES)("both searches answer the same to %j", async (query) => {
  const shop = workshop();
  searchTree(shop);
  const places = query.path === ".git" ? (["a repository"] as const) : (["a repository", "no repository"] as const);
  for (const place of sampledCases(places, QUERIES.indexOf(query))) {
    if (place === "no repository") rmSync(join(shop.cwd, ".git"), { recursive: true });
    expect((await shop.call("grep", query, own)).content).toEqual((await shop.call("grep", query)).content);
  }
});

describe("searching", () => {
  test("context lines are marked and groups are set apart", async () => {
    const shop = workshop();
    shop.put("a.txt", "1\n2\nx3\n4\nx5\n6\n7\n8\nx9\n");
    expect(await shop.text("grep", { pattern: "x", context: 1 })).toBe(
      "a.txt-2- 2\na.txt:3: x3\na.txt-4- 4\na.txt:5: x5\na.txt-6- 6\n--\na.txt-8- 8\na.txt:9: x9",
    );
  });

  test("limits say that there is more, exactly when there is", async () => {
    const shop = workshop();
    shop.put("a.txt", "x\n".repeat(3));
    expect([
      await shop.text("grep", { pattern: "x", limit: 2 }),
      await shop.text("grep", { pattern: "x", limit: 3 }),
      await shop.text("grep", { pattern: "y" }),
    ]).toEqual([
      "a.txt:1: x\na.txt:2: x\n[Showing the first 2 matches; there are more. Narrow the pattern, path or glob]",
      "a.txt:1: x\na.txt:2: x\na.txt:3: x",
      "No matches",
    ]);
  });

  test("outside asks, and links are not followed out of the tree", async () => {
    const shop = workshop();
    searchTree(shop);
    expect([
      await shop.failure("grep", { pattern: "secret", path: "link-folder" }, { decision: NO }),
      await shop.text("grep", { pattern: "secret", path: "link-folder" }),
      await shop.text("grep", { pattern: "secret" }),
      await shop.text("grep", { pattern: "secret" }, own),
    ]).toEqual([
      "The user said no.",
      `${join(shop.outside, "secret.ts")}:1: needle secret`,
      "No matches",
      "No matches",
    ]);
    const question = { tool: "grep", action: "read", target: shop.outside };
    expect(shop.asked).toEqual([question, question]);
  });

  test("Bough's own folder is left out where the working directory holds it, its keys always", async () => {
    const shop = workshop();
    const before = process.env.BOUGH_HOME;
    process.env.BOUGH_HOME = join(shop.cwd, ".bough");
    try {
      shop.put(".bough/auth.json", "secret key\n");
      shop.put(".bough/notes.txt", "secret note\n");
      shop.put("mine.txt", "secret mine\n");
      for (const options of [{}, own]) {
        expect(await shop.text("grep", { pattern: "secret" }, options)).toBe("mine.txt:1: secret mine");
        expect(await shop.text("grep", { pattern: "secret", path: ".bough" }, options)).toBe(
          ".bough/notes.txt:1: secret note",
        );
      }
      expect(await shop.text("find", { pattern: "**" })).toBe("mine.txt");
      const closed = `${join(shop.cwd, ".bough/auth.json")} contains keys, so tools may not access it`;
      expect(await shop.failure("read", { path: ".bough/auth.json" })).toBe(closed);
      expect(await shop.failure("grep", { pattern: "secret", path: ".bough/auth.json" })).toBe(closed);
      expect(new Set(shop.asked.map(({ action, target }) => `${action} ${target}`))).toEqual(
        new Set([`read ${join(shop.cwd, ".bough")}`]),
      );
    } finally {
      if (before === undefined) delete process.env.BOUGH_HOME;
      else process.env.BOUGH_HOME = before;
    }
  });

  test("without ripgrep on the path, the built-in search is used", async () => {
    const shop = workshop();
    shop.put("a.txt", "needle\n");
    // Not installed, and another program of the same name.
    for (const ripgrep of ["no-such-program", "/bin/echo"]) {
      expect(await shop.call("grep", { pattern: "needle" }, { tools: { ripgrep } })).toEqual({
        content: [{ type: "text", text: "a.txt:1: needle" }],
        details: { matches: 1, truncated: false, engine: "own" },
      });
    }
  });

  test("wrong patterns, paths and globs are explained", async () => {
    const shop = workshop();
    shop.put("a.txt", "");
    expect([
      await shop.failure("grep", { pattern: "a(" }),
      await shop.failure("grep", { pattern: "a\nb" }),
      await shop.failure("grep", { pattern: "a", path: "missing" }),
      await shop.failure("grep", { pattern: "a", glob: "../*" }),
      await shop.failure("grep", { pattern: "a", glob: "/etc/*" }),
      await shop.failure("grep", { pattern: "a", glob: "{..,x}/*" }),
    ]).toEqual([
      "The pattern is not a valid regular expression: Invalid regular expression: /a(/: Unterminated group. Set literal to search for it as plain text",
      "Invalid input for grep: pattern: a pattern cannot match across lines",
      `No such file or folder: ${join(shop.cwd, "missing")}`,
      "A pattern cannot go up (..): give the folder as path and the rest as pattern",
      "A pattern is relative: give the folder as path and the rest as pattern",
      "A pattern cannot go up (..): give the folder as path and the rest as pattern",
    ]);
  });

  test("a pattern that would never end is stopped", async () => {
    const shop = workshop();
    shop.put("a.txt", `${"a".repeat(40)}b\n`);
    expect(await shop.failure("grep", { pattern: "^(a+)+$" }, own)).toBe(
      "The pattern takes too long on some lines: make it simpler (^(a+)+$)",
    );
  });

  test("a search that is stopped says so", async () => {
    const shop = workshop();
    writeFileSync(join(shop.outside, "a.txt"), "x\n");
    for (const ripgrep of ["rg", null]) {
      const controller = new AbortController();
      // The question comes right before the search starts.
      const permit = async () => {
        queueMicrotask(() => queueMicrotask(() => controller.abort()));
        return { allowed: true } as const;
      };
      const failure = shop.failure(
        "grep",
        { pattern: "x", path: shop.outside },
        { permit, signal: controller.signal, tools: { ripgrep } },
      );
      expect(await failure).toBe("Stopped before it finished.");
    }
  });
});
