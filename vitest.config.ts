import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { packageAliases } from "./scripts/build/packages.mjs";
import { LongestFirst } from "./test/support/longest-first.js";

/** Files share a worker and its modules; what a test changes is put back by `test/support/after-test.ts`. */
const shared = {
  setupFiles: ["test/support/set-up.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  isolate: false,
  // Long, because the machine may be busy: a wait ends when what it waits for is there.
  expect: { poll: { interval: 10, timeout: 60_000 } },
};

/** These look at what the whole process has in use, so each gets a process of its own. */
const ALONE = ["test/engine/many-sessions.test.ts", "test/engine/handoff-memory.test.ts"];

const alias = packageAliases(fileURLToPath(new URL(".", import.meta.url)));

export default defineConfig({
  test: {
    // Tests wait for processes and for the disk: one worker more than there are cores keeps the machine busy.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { resolve: { alias }, test: { ...shared, name: "alone", include: ALONE, isolate: true } },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "bough",
          include: ["packages/*/src/**/*.test.ts", "bench/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ALONE,
          globalSetup: ["test/support/missing-tools.ts", "test/support/build.ts", "test/support/pack.ts"],
        },
      },
    ],
  },
});
