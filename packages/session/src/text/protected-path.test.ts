import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { protectionOf } from "./protected-path.js";

const LISTED = [
  ...[".bough", ".mcp.json", ".envrc", ".vscode", ".idea", ".husky", ".claude", ".codex", ".gemini", ".opencode"],
  ...[".pi", ".cursor", ".githooks", ".npmrc", ".yarnrc.yml", ".pre-commit-config.yaml", ".devcontainer"],
  ...[".zed", ".tool-versions", "mise.toml", ".mise.local.toml", "mise.production.toml", "rust-toolchain.toml", ".mvn"],
  ...["gradle-wrapper.properties", "pnpm-workspace.yaml", ".lintstagedrc", ".lintstagedrc.json", "app.code-workspace"],
  ...[
    "lint-staged.config.mjs",
    ".hg",
    ".jj",
    ".Rprofile",
    ".ghci",
    ".iex.exs",
    ".irbrc",
    ".helix",
    ".config",
    ".local",
  ],
  ...[
    ".kube",
    ".aws",
    "LaunchAgents",
    "lefthook.yml",
    ".gitconfig",
    ".cargo",
    ".bazelrc",
    ".gdbinit",
    ".ssh",
    ".zshrc",
  ],
];

describe("paths that decide what runs", () => {
  test.each(LISTED)("%s is one, whatever is below it and wherever it is", (name) => {
    for (const path of [name, `${name}/a/b.js`, `packages/web/${name}`, `packages/web/${name}/x`])
      expect([path, protectionOf(path)]).toEqual([path, "runs"]);
  });

  test("spellings that a file system takes for the same name are too", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LISTED),
        fc.nat(),
        fc.constantFrom("", ".", " ", "...", ". ."),
        (name, at, end) => {
          const hidden = ["\u200c", "\u200d", "\ufeff", "\u00ad", "\u2060", "\u{e0001}"][at % 6] ?? "";
          const cut = at % (name.length + 1);
          const spelled = `${name.slice(0, cut).toUpperCase()}${hidden}${name.slice(cut)}${end}`;
          expect(protectionOf(`src/${spelled}/x`)).toBe("runs");
        },
      ),
    );
    for (const path of ["BOUGH~1/x.js", "vscode~1", "mcp~1.jso", "CLAUDE~2/settings.json", ".vscode::$DATA"])
      expect([path, protectionOf(path)]).toEqual([path, "runs"]);
  });

  test.each([
    ".git",
    ".GIT/config",
    "a/.Git",
    ".git.",
    ".git ",
    ".git . .",
    ".g\u200cit/hooks/x",
    ".gi\u200dt",
    "\ufeff.git",
    ".git\u2060",
    "git~1/config",
    "GIT~1",
    "git~12",
    "GI7EBA~1",
    ".git::$INDEX_ALLOCATION/config",
    ".git:x",
    "a\\.git\\config",
    ".bough/.git/config",
  ])("%j is git's own", (path) => {
    expect(protectionOf(path)).toBe("git");
  });

  test.each([
    "src/a.ts",
    "package.json",
    "Makefile",
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    ".github/workflows/ci.yml",
    "AGENTS.md",
    ".nvmrc",
    ".python-version",
    "pyproject.toml",
    "eslint.config.js",
    "promise.toml",
    "mise-notes.toml.md",
    ".code-workspace",
    "config/app.json",
    "local/a",
    "mvn/a",
    "git",
    "digit/x",
    "git-notes~",
    "notes~1~",
    ".env",
    "bough/x.js",
    "vscode/settings.json",
    "x.mcp.json",
    "",
  ])("%j is an ordinary path", (path) => {
    expect(protectionOf(path)).toBeUndefined();
  });
});
