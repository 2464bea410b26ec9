import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGES } from "../../scripts/build/packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** What the build is made from. Tests among it do not matter, but looking at them is quicker than leaving them out. */
const SOURCES = [
  ...PACKAGES.flatMap((name) => ["src", "package.json", "tsconfig.json"].map((part) => `packages/${name}/${part}`)),
  "scripts/build",
  "scripts/build.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.web.json",
];
/** Written when all modules are bundled. */
const BUILT = "dist/THIRD-PARTY.txt";

/**
 * Tests that start other processes run the built library, so it is built before all of them unless it is up to date.
 * BOUGH_KEEP_BUILD=1 uses the build that is there, whatever its age.
 */
export default function setup(): void {
  if (process.env.BOUGH_KEEP_BUILD === "1" || isUpToDate()) return;
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
}

function isUpToDate(): boolean {
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.every((path) => newest(join(root, path)) < built);
}

function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const below = readdirSync(path, { recursive: true, encoding: "utf8" });
  return below.reduce((latest, name) => Math.max(latest, statSync(join(path, name)).mtimeMs), stats.mtimeMs);
}
