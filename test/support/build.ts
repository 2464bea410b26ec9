import { execFileSync } from "node:child_process";

/**
 * Tests that start other processes run the built library, so it is built once before all of them.
 * BOUGH_KEEP_BUILD=1 uses the build that is there, for quick runs of one unit test.
 */
export default function setup(): void {
  if (process.env.BOUGH_KEEP_BUILD === "1") return;
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
}
