/** Slash commands and subcommands are one language: those with the same name take the same flags. */
import { expect, test } from "vitest";
import { COMMANDS } from "../../command/index.js";
import { COMMON_FLAGS } from "./subcommand-flag.js";
import { SUBCOMMANDS } from "./subcommands.js";

/** Only in the shell: a session that is not open, an output file, questions that a script cannot be asked. */
const SHELL_ONLY = new Set([
  "output",
  "force",
  "dry-run",
  "yes",
  "ascii",
  "width",
  "color",
  ...Object.keys(COMMON_FLAGS),
]);

const flagsIn = (usage: string) => [...usage.matchAll(/--([a-z-]+)/g)].map((match) => match[1] as string);

const shared = COMMANDS.flatMap((command) => {
  const subcommand = SUBCOMMANDS.find(({ name }) => name === command.name);
  return subcommand === undefined ? [] : [{ name: command.name, command, subcommand }];
});

test("the operations of both are the ones people would expect in both", () => {
  expect(shared.map(({ name }) => name).sort()).toEqual([
    "attempts",
    "clone",
    "compare",
    "diff",
    "export",
    "export-branch",
    "fork",
    "handoff",
    "import",
    "label",
    // Keys in the shell; in a session also logins of providers from extensions.
    "login",
    "logout",
    // The same servers; the shell also adds and removes them.
    "mcp",
    "rename",
    // Sessions from the archive in the shell; files in a session, which the shell calls restore-files.
    "restore",
    "search",
    "sync",
    "tree",
    "tried",
    "try",
  ]);
});

test.each(shared)("/$name takes no flag that bough $name does not know", ({ command, subcommand }) => {
  expect(flagsIn(command.usage).filter((flag) => !(flag in subcommand.flags))).toEqual([]);
});

test("a thing is called the same in both", () => {
  const slash = new Set(COMMANDS.flatMap(({ usage }) => flagsIn(usage)));
  const shell = new Set(SUBCOMMANDS.flatMap(({ flags }) => Object.keys(flags)));
  // What a past message said.
  for (const old of ["replace", "clear", "path"])
    expect([old, slash.has(old), shell.has(old)]).toEqual([old, false, false]);
  expect([...slash].filter((flag) => SHELL_ONLY.has(flag)).sort()).toEqual(["force", "yes"]);
});
