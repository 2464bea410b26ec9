/** A random walk through sessions and files: what is on the disk is what was seen there. `scripts/files-walk.mjs` walks further. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { filesWalk } from "./support/files-walk/walk.js";
import { sampledRuns } from "./support/sampled.js";
import { tempFolder } from "./support/temp-folder.js";

const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const steps = sampledRuns({ all: 1000, some: 40 });

it.each(["git", "plain"] as const)(
  "every entry keeps its files through edits, commands, moves, undo, kills and changes from outside (%s)",
  async (kind) => {
    const folder = realpathSync(tempFolder());
    const result = await filesWalk({ kind, seed: 1, steps, folder, main });
    expect(result.flags).toEqual([]);
    expect(result.records).toBeGreaterThan(steps / 4);
  },
  600_000,
);
