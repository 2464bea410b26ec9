/**
 * Packs the checkout once for all test files, and unpacks it as npm would do it. What it depends on is that of the
 * checkout: package.test.ts installs the tarball with npm.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "bough-packed-"));
  // Another user has to be able to run it.
  chmodSync(folder, 0o755);
  const report = pack(root, folder);
  const tarball = join(folder, report.filename);
  const unpacked = join(folder, "bough");
  mkdirSync(unpacked);
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", unpacked]);
  symlinkSync(join(root, "node_modules"), join(unpacked, "node_modules"));
  project.provide("packedTarball", tarball);
  project.provide("packedEngine", join(folder, pack(join(root, "packages", "session"), folder).filename));
  project.provide("packedFiles", report.files.map(({ path }) => path).sort());
  project.provide("packedProgram", join(unpacked, "dist", "cli", "main.js"));
  return () => rmSync(folder, { recursive: true, force: true });
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function pack(cwd: string, folder: string): Packed {
  const env = { ...process.env, npm_config_update_notifier: "false" };
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const printed = execFileSync("npm", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [report] = JSON.parse(printed) as [Packed];
  return report;
}
