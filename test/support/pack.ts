/**
 * Packs the checkout once for all test files, and unpacks it as npm would do it. What it depends on is that of the
 * checkout: package.test.ts installs the tarball with npm.
 */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The tarball, the paths in it, and the main module of the program in its unpacked form. */
    packedTarball: string;
    packedFiles: readonly string[];
    packedProgram: string;
    /** The tarball of packages/session. */
    packedEngine: string;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  // Tests of a room never need it.
  if (!project.vitest.state.getPaths().some((path) => path.startsWith(join(root, "test", sep)))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "bough-packed-"));
  // Another user has to be able to run it.
  chmodSync(folder, 0o755);
  const [report, engine] = await pack(folder);
  const tarball = join(folder, report.filename);
  const unpacked = join(folder, "bough");
  mkdirSync(unpacked);
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", unpacked]);
  symlinkSync(join(root, "node_modules"), join(unpacked, "node_modules"));
  project.provide("packedTarball", tarball);
  project.provide("packedEngine", join(folder, engine.filename));
  project.provide("packedFiles", report.files.map(({ path }) => path).sort());
  project.provide("packedProgram", join(unpacked, "dist", "cli", "main.js"));
  return () => rmSync(folder, { recursive: true, force: true });
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Both packages by one npm. */
async function pack(folder: string): Promise<[Packed, Packed]> {
  const env = { ...process.env, npm_config_update_notifier: "false" };
  const args = ["pack", ".", "./packages/session", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: root, env, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as [Packed, Packed];
}
