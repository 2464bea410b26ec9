// For the tests over real agents, which are not part of the suite.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { packageAliases } from "../build/packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: packageAliases(root) },
  test: {
    setupFiles: ["test/support/set-up.ts"],
    include: ["scripts/drivers/*.test.mjs"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
