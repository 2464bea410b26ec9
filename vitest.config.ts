import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const shared = { setupFiles: ["test/support/seed.ts"], testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // Many tests wait for a process of their own, so a worker per core keeps the machine busy.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          ...shared,
          name: "rooms",
          include: ["src/**/*.test.ts", "bench/**/*.test.ts"],
          globalSetup: ["test/support/build.ts"],
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: "house",
          include: ["test/**/*.test.ts"],
          globalSetup: ["test/support/build.ts", "test/support/pack.ts"],
        },
      },
    ],
  },
});
