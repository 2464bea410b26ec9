/** Completion in real shells. bash is always there; zsh and fish are tried where they are installed. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeSubPlace, type Packed, runSub, type SubPlace } from "./sub-support.js";

function hasShell(name: string): boolean {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    // Not installed here.
    return false;
  }
}

/** A place where the command `bough` is the packed program. */
function withCommand({ program }: Packed): SubPlace {
  const place = makeSubPlace();
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "bough"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "bough"), 0o755);
  return { ...place, env: { ...place.env, PATH: `${bin}:${place.env.PATH}` } };
}

/** What bash offers for the last of these words. */
async function offeredByBash(packed: Packed, words: readonly string[]): Promise<string[]> {
  const place = withCommand(packed);
  const { stdout } = await runSub(packed, place, ["completion", "bash"]);
  const script = `${stdout}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_bough
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const offered = execFileSync("bash", ["--norc", "-c", script, "bash", ...words], {
    cwd: place.cwd,
    env: place.env,
    encoding: "utf8",
  });
  return offered.split("\n").filter((line) => line !== "");
}

export function describeShells(packed: () => Packed): void {
  describe("completion in bash", () => {
    test.each([
      [
        ["bough", "ex"],
        ["export", "export-branch"],
      ],
      [
        ["bough", "ls", "--s"],
        ["--sort", "--session-dir"],
      ],
      [
        ["bough", "ls", "--sort", ""],
        ["recent", "name", "size"],
      ],
      [["bough", "tree", "bou"], ["bough-demo"]],
      [["bough", "--session", "first"], ["first-steps"]],
      [
        ["bough", "completion", ""],
        ["bash", "zsh", "fish"],
      ],
      [
        ["bough", "--mod"],
        ["--mode", "--model"],
      ],
    ])("%j", async (words, offered) => {
      expect(await offeredByBash(packed(), words)).toEqual(offered);
    });

    test("the script is registered for the command", async () => {
      const { stdout } = await runSub(packed(), makeSubPlace(), ["completion", "bash"]);
      const registered = execFileSync("bash", ["--norc", "-c", `${stdout}\ncomplete -p bough`], { encoding: "utf8" });
      expect(registered).toContain("-F _bough bough");
    });
  });

  test.skipIf(!hasShell("zsh"))("zsh reads its script", async () => {
    const { stdout } = await runSub(packed(), makeSubPlace(), ["completion", "zsh"]);
    const script = `autoload -Uz compinit && compinit -D\n${stdout}\nprint -r -- $_comps[bough]`;
    expect(execFileSync("zsh", ["-f", "-c", script], { encoding: "utf8" }).trim()).toBe("_bough");
  });

  test.skipIf(!hasShell("fish"))("fish reads its script and offers commands", async () => {
    const { stdout } = await runSub(packed(), makeSubPlace(), ["completion", "fish"]);
    const script = `${stdout}\ncomplete -C 'bough ver'`;
    expect(execFileSync("fish", ["--no-config", "-c", script], { encoding: "utf8" })).toMatch(/^verify\t/);
  });

  test("a shell nobody knows is refused", async () => {
    const { code, stderr } = await runSub(packed(), makeSubPlace(), ["completion", "bsh"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "bough: There is no completion for bsh; did you mean bash?\n  It is one of bash, zsh, fish.\n",
    });
  });
}
