/** Completion in real shells. Where one is not installed its tests are skipped, and say so; `.ci/run` installs them all. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { makeSubPlace, packedProgram, runSub, type SubPlace } from "./sub-support.js";

const ZSH_OFFERS = fileURLToPath(new URL("./sub-zsh-offers.zsh", import.meta.url));
const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** Where everything is checked a missing shell is a failure. */
function isTried(name: Shell): boolean {
  if (process.env.CI === "true") return true;
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Lines as they are typed, and what Tab offers for their last word. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  "bough ex": ["export", "export-branch", "extensions"],
  "bough veri": ["verify"],
  "bough --mod": ["--mode", "--model"],
  "bough verify --no": ["--notes"],
  "bough tree --f": ["--filter"],
  "bough ls --sort ": ["name", "recent", "size"],
  "bough ls --sort n": ["name"],
  "bough show bou": ["bough-demo"],
  "bough tree --ascii first": ["first-steps"],
  "bough --session first": ["first-steps"],
  "bough search --in bou": ["bough-demo"],
  "bough completion ": ["bash", "fish", "zsh"],
  "bough show ": ["bough-demo", "first-steps"],
};

/** A place where the command `bough` is the packed program. */
function withCommand(): SubPlace {
  const place = makeSubPlace();
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "bough"), `#!/bin/sh\nexec "${process.execPath}" "${packedProgram()}" "$@"\n`);
  chmodSync(join(bin, "bough"), 0o755);
  return { ...place, env: { ...place.env, PATH: `${bin}:${place.env.PATH}` } };
}

interface Asked {
  readonly place: SubPlace;
  /** The script for the shell. */
  readonly script: string;
}

function output({ place }: Asked, command: string, args: readonly string[]): string {
  // No key is pressed here: a shell that waits for one would wait for ever.
  return execFileSync(command, args, { cwd: place.cwd, env: place.env, encoding: "utf8", timeout: 60_000 });
}

const OFFERS: Readonly<Record<Shell, (asked: Asked, line: string) => string>> = {
  bash: (asked, line) => {
    const lines = [
      asked.script,
      'COMP_WORDS=("$@")',
      "COMP_CWORD=$(($# - 1))",
      "_bough",
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ];
    return output(asked, "bash", ["--norc", "-c", lines.join("\n"), "bash", ...line.split(" ")]);
  },
  zsh: (asked, line) => {
    const folder = join(asked.place.home, "zsh");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "_bough"), asked.script);
    return output(asked, "zsh", ["-f", ZSH_OFFERS, folder, line]);
  },
  fish: (asked, line) => {
    const file = join(asked.place.home, "bough.fish");
    writeFileSync(file, asked.script);
    // Words, a tab, what they are.
    const offered = output(asked, "fish", ["--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', file, line]);
    return offered.replaceAll(/\t.*/g, "");
  },
};

describe.each(SHELLS)("completion in %s", (shell) => {
  const tried = isTried(shell);
  const title = tried ? "offers commands, flags, their values and sessions" : `was not tried: no ${shell} here`;
  test.skipIf(!tried)(title, { timeout: 180_000 }, async () => {
    const place = withCommand();
    // What a session is called is shown beside it, and never run.
    const name = `it's "mine": \`touch pwned\` $(touch pwned) [x] \\ ; touch pwned #`;
    await runSub(place, ["rename", "first-steps", name]);
    const { stdout: script } = await runSub(place, ["completion", shell]);
    const offered: Record<string, readonly string[]> = {};
    for (const line of Object.keys(OFFERED)) {
      const words = OFFERS[shell]({ place, script }, line).split("\n");
      offered[line] = [...new Set(words.filter((word) => word !== ""))].sort();
    }
    expect(offered).toEqual(OFFERED);
    expect(existsSync(join(place.cwd, "pwned"))).toBe(false);
  });
});

test("the script for bash is registered for the command", async () => {
  const { stdout } = await runSub(makeSubPlace(), ["completion", "bash"]);
  const registered = execFileSync("bash", ["--norc", "-c", `${stdout}\ncomplete -p bough`], { encoding: "utf8" });
  expect(registered).toContain("-F _bough bough");
});

test.skipIf(!isTried("zsh"))("the script for zsh can be read in at once too", async () => {
  const { stdout } = await runSub(makeSubPlace(), ["completion", "zsh"]);
  const script = `autoload -Uz compinit && compinit -u -D\n${stdout}\nprint -r -- $_comps[bough]`;
  expect(execFileSync("zsh", ["-f", "-c", script], { encoding: "utf8" }).trim()).toBe("_bough");
});

test("an unknown shell is refused", async () => {
  const { code, stderr } = await runSub(makeSubPlace(), ["completion", "bsh"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "bough: No completion for bsh; did you mean bash?\n  Choose one of bash, zsh, fish.\n",
  });
});
