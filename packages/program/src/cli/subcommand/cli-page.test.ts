import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { helpText } from "../flags.js";
import { cliPage } from "./cli-page.test-support.js";
import { subcommandHelp } from "./help-text.js";
import { SUBCOMMANDS } from "./subcommands.js";

const reference = fileURLToPath(new URL("../../../../../docs/reference/", import.meta.url));

// `npx vitest run packages/program/src/cli/subcommand/cli-page.test.ts -u` updates the page.
describe("the description of the command line", () => {
  test("docs/reference/cli.md is what the tables give today", async () => {
    await expect(cliPage()).toMatchFileSnapshot(join(reference, "cli.md"));
  });

  test("bough --help lists every command", () => {
    const help = helpText(SUBCOMMANDS);
    expect(SUBCOMMANDS.filter(({ name, summary }) => !help.includes(`  ${name} `) || !help.includes(summary))).toEqual(
      [],
    );
  });

  test.each(SUBCOMMANDS.map((command) => [command.name, command] as const))(
    "the help of %s names its flags, an example and its JSON",
    (_name, command) => {
      const help = subcommandHelp(command);
      expect(Object.keys(command.flags).filter((flag) => !help.includes(`--${flag}`))).toEqual([]);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [line] of command.examples) expect(help).toContain(`bough ${line}`);
      expect(help).toContain("With --json:");
      expect(help).toContain("Exit codes: 0 success, 1 failure, 2 usage error, 3 damaged session, 130 interrupted.");
      expect(help.split("\n").filter((line) => line.length > 140)).toEqual([]);
    },
  );

  test.each(SUBCOMMANDS.map((command) => [command.name, command] as const))("%s can be run", async (_name, command) => {
    const { row, run } = await command.load();
    expect({ name: row.name, run }).toEqual({ name: command.name, run: expect.any(Function) });
  });
});
