import { describe, expect, test } from "vitest";
import { CliError } from "../cli-error.js";
import { parseArguments } from "./parse-arguments.js";
import type { Subcommand } from "./subcommand.js";
import { findSubcommand, SUBCOMMANDS } from "./subcommands.js";

const named = (name: string) => findSubcommand(name) as Subcommand;

/** The message and the hint of a usage error. */
function mistake(name: string, args: readonly string[]): readonly [string, string | undefined] {
  try {
    parseArguments(named(name), args);
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    const { code, message, hint } = error as CliError;
    expect(code).toBe("wrong-usage");
    return [message, hint];
  }
  throw new Error("nothing was wrong");
}

describe("arguments of a subcommand", () => {
  test("flags may come before and after the arguments, in both forms", () => {
    const { args, flags } = parseArguments(named("search"), [
      "-n",
      "3",
      "merge",
      "--role=user",
      "conflict",
      "--role",
      "label",
    ]);
    expect(args).toEqual(["merge", "conflict"]);
    expect([flags.count("limit"), flags.all("role"), flags.isOn("all")]).toEqual([3, ["user", "label"], false]);
  });

  test("what comes after -- is not a flag", () => {
    expect(parseArguments(named("search"), ["--", "--json"]).args).toEqual(["--json"]);
  });

  test("an unknown flag is answered with the closest one", () => {
    expect(mistake("ls", ["--al"])).toEqual([
      "Unknown flag --al; did you mean --all?",
      "For usage, run: bough ls --help",
    ]);
    expect(mistake("tree", ["--fliter", "all"])[0]).toBe("Unknown flag --fliter; did you mean --filter?");
    expect(mistake("ls", ["--zzz"])[0]).toBe("Unknown flag --zzz");
    expect(mistake("ls", ["--constructor"])[0]).toBe("Unknown flag --constructor");
  });

  test("a value that is none of the choices is answered with all of them", () => {
    expect(mistake("ls", ["--sort", "recnt"])).toEqual([
      "Invalid value for --sort: recnt",
      "Choose one of recent, name, size. Did you mean recent?",
    ]);
  });

  test("a missing value, a value too many, and words too few or too many are wrong usage", () => {
    expect(mistake("ls", ["--limit"])[0]).toBe("--limit needs a value");
    expect(mistake("ls", ["--all=yes"])[0]).toBe("--all takes no value");
    expect(mistake("rename", ["4f2a"])[0]).toBe("Missing argument: bough rename <session> <name>");
    expect(mistake("doctor", ["please"])[0]).toBe("Unexpected argument please");
  });

  test("a count is a whole number from 1 up", () => {
    for (const wrong of ["0", "-1", "1.5", "ten", "1e3"]) {
      const { flags } = parseArguments(named("ls"), [`--limit=${wrong}`]);
      expect(() => flags.count("limit")).toThrow(`--limit needs a positive whole number, not ${wrong}`);
    }
  });

  test("help is given whatever else is missing", () => {
    expect(parseArguments(named("rename"), ["--help"]).flags.isOn("help")).toBe(true);
  });

  test("no two commands share a name, and no flag of one hides a common one", () => {
    const names = SUBCOMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { flags } of SUBCOMMANDS) {
      expect(Object.keys(flags).filter((flag) => ["json", "help", "cwd", "session-dir"].includes(flag))).toEqual([]);
      const shorts = Object.values(flags).flatMap(({ short }) => short ?? []);
      expect(new Set(shorts).size).toBe(shorts.length);
    }
  });
});
