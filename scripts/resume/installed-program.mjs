// The program to test: a given one, or a fresh copy from the package registry in a scratch folder. It never becomes a
// dependency, and the folder is removed when the script ends.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The program cannot be obtained. The message says what to do. */
export class ProgramMissing extends Error {}

/**
 * `packages`: names with or without a version, the program's first. npm installs the newest version that supports the
 * running Node; a program that needs a newer one adds the package `node`. `command` is the program's name.
 */
export function installedProgram({ program, packages, command }) {
  const installed = program === undefined ? install(packages) : { folder: undefined, bin: undefined };
  const path = [...(installed.bin === undefined ? [] : [installed.bin]), process.env.PATH].join(delimiter);
  const file = program ?? join(installed.bin, command);
  const close = () => installed.folder !== undefined && rmSync(installed.folder, { recursive: true, force: true });
  const asked = spawnSync(file, ["--version"], { env: { PATH: path, HOME: tmpdir() }, encoding: "utf8" });
  if (asked.status !== 0) {
    close();
    const why = asked.error?.message ?? asked.stderr.trim().split("\n")[0];
    throw new ProgramMissing(`${file} does not start (${why}). Name a program that does with --program <path>.`);
  }
  return { file, path, version: asked.stdout.trim() || asked.stderr.trim(), close };
}

function install(packages) {
  const folder = mkdtempSync(join(tmpdir(), "bough-program-"));
  console.log(`Installing ${packages.join(" and ")} into ${folder}`);
  const options = ["--no-audit", "--no-fund", "--no-save", "--loglevel", "error"];
  const npm = spawnSync("npm", ["install", "--prefix", folder, ...options, ...packages], { encoding: "utf8" });
  const bin = join(folder, "node_modules", ".bin");
  if (npm.status === 0 && existsSync(bin)) return { folder, bin };
  rmSync(folder, { recursive: true, force: true });
  const why = (npm.error?.message ?? npm.stderr).trim().split("\n").slice(0, 3).join(" ");
  throw new ProgramMissing(
    `${packages.join(" and ")} cannot be installed (${why}). Name an installed program with --program <path>, or another version.`,
  );
}
