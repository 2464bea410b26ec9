/** A random walk through sessions and files: what is on the disk is what was seen there. `scripts/files-walk.mjs` walks further. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { filesWalk } from "./support/files-walk/walk.js";
import { sampledRuns } from "./support/sampled.js";
import { tempFolder } from "./support/temp-folder.js";

const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const WALKS = [
  { kind: "git", seed: 1, some: 40 },
  { kind: "plain", seed: 1, some: 40 },
  // Two sessions at a time in one folder, with git and without.
  { kind: "two", seed: 1, some: 15 },
  { kind: "two", seed: 2, some: 15 },
] as const;

it.each(WALKS)(
  "every entry keeps its files through edits, commands, moves, undo, kills and changes from outside ($kind, $seed)",
  async ({ kind, seed, some }) => {
    const folder = realpathSync(tempFolder());
    const steps = sampledRuns({ all: 1000, some });
    const result = await filesWalk({ kind, seed, steps, folder, main });
    expect(result.flags).toEqual([]);
    expect(result.records).toBeGreaterThan(steps / 4);
  },
  600_000,
);
