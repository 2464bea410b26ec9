/**
 * Installs an extension from npm, from git, or from a path. Everything is prepared in a staging folder that is moved
 * into place when complete, so a stopped or failed installation changes nothing. Install scripts of packages never run.
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  isInside,
  isLeftBehind,
  makeFolder,
  namesIn,
  OWNER_MARK,
  ownerMark,
  readTextFile,
} from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import { extensionsAt } from "../find-extensions.js";
import { InstallError } from "./install-error.js";
import { type InstallSource, installSource, nameOfSource, shownSource } from "./install-source.js";
import { changeInstalled, type ExtensionScope, type InstalledExtension, readInstalled } from "./installed-list.js";
import { runProgram } from "./run-program.js";

export interface InstallOptions {
  readonly scope: ExtensionScope;
  /** Base of relative paths. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Called before each slow step. */
  readonly onStep?: (step: string) => void;
}

export interface InstallOutcome {
  readonly kind: "installed" | "updated";
  readonly extension: InstalledExtension;
  /** The scripts that will be loaded. */
  readonly files: readonly string[];
}

/** Throws `bad-source`, `install-failed` or `no-extension` without having changed anything. */
export async function installExtension(text: string, options: InstallOptions): Promise<InstallOutcome> {
  const { scope } = options;
  const source = installSource(text, options.cwd);
  // Fails early if the list cannot be read, before any download.
  readInstalled(scope);
  if (source.kind === "path") {
    // Keep the path relative, because a project may move and is in a different folder for everyone.
    const isShared = scope.origin === "project" && isInside(dirname(scope.folder), source.path);
    const path = isShared ? relative(scope.folder, source.path) : source.path;
    const files = filesAt(resolve(scope.folder, path), source);
    return keep(source, { name: named(nameOfSource(source)), path }, { scope, files });
  }
  const staging = stagingFolder(scope);
  try {
    const fetched =
      source.kind === "npm" ? await fromNpm(source, staging, options) : await fromGit(source, staging, options);
    const files = filesAt(join(staging, fetched.path), source);
    const name = named(fetched.name);
    const target = join(packagesFolder(scope), name.replace("/", "__"));
    replaceFolder(staging, target);
    return keep(
      source,
      { ...fetched, name, path: relative(scope.folder, join(target, fetched.path)) },
      { scope, files: files.map((file) => join(target, relative(staging, file))) },
    );
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Installs listed extensions that are missing on this machine, in the listed version. */
export async function installMissing(options: InstallOptions): Promise<readonly InstallOutcome[]> {
  const { scope } = options;
  const outcomes: InstallOutcome[] = [];
  for (const installed of readInstalled(scope).installed) {
    if (extensionsAt(resolve(scope.folder, installed.path), scope.origin).length > 0) continue;
    outcomes.push(await installExtension(sameVersion(installed), { ...options, cwd: scope.folder }));
  }
  return outcomes;
}

function sameVersion({ source, version }: InstalledExtension): string {
  if (version === undefined) return source;
  if (source.startsWith("git:")) return `${source.replace(/@[^@/:]+$/, "")}@${version}`;
  return /^npm:(@[^/@]+\/)?[^/@]+$/.test(source) ? `${source}@${version}` : source;
}

/** Removes an extension from the list and deletes its downloaded files. An extension at a path is not deleted. */
export function removeExtension(name: string, scope: ExtensionScope): InstalledExtension {
  const found = readInstalled(scope).installed.find((one) => one.name === name);
  if (found === undefined) throw unknownExtension(name);
  changeInstalled(scope, ({ installed, disabled }) => ({
    installed: installed.filter((one) => one.name !== name),
    disabled: disabled.filter((one) => one !== name),
  }));
  const [folder, ...below] = relative(packagesFolder(scope), resolve(scope.folder, found.path)).split(sep);
  if (folder !== undefined && folder !== ".." && below.length > 0 && !isAbsolute(found.path)) {
    rmSync(join(packagesFolder(scope), folder), { recursive: true, force: true });
  }
  return found;
}

/** Switches an extension on or off. `known`: all existing names. */
export function switchExtension(
  name: string,
  {
    scope,
    enabled,
    known,
  }: { readonly scope: ExtensionScope; readonly enabled: boolean; readonly known: readonly string[] },
): "done" | "unchanged" {
  if (!known.includes(name)) throw unknownExtension(name);
  if (readInstalled(scope).disabled.includes(name) !== enabled) return "unchanged";
  changeInstalled(scope, ({ installed, disabled }) => ({
    installed,
    disabled: enabled ? disabled.filter((one) => one !== name) : [...disabled, name],
  }));
  return "done";
}

interface Fetched {
  readonly name: string;
  /** Relative to the staging folder. */
  readonly path: string;
  readonly version?: string;
}

const NPM_INSTALL = ["install", "--ignore-scripts", "--omit=dev", "--legacy-peer-deps", "--no-audit", "--no-fund"];

async function fromNpm(
  { spec }: { readonly spec: string },
  staging: string,
  options: InstallOptions,
): Promise<Fetched> {
  options.onStep?.(`Installing ${nameOfSource({ kind: "npm", spec })} with npm`);
  writeFileSync(join(staging, "package.json"), '{ "private": true }\n');
  await runProgram({ program: "npm", args: [...NPM_INSTALL, "--", spec], cwd: staging, signal: options.signal });
  const [name] = Object.keys(manifestOf(staging).dependencies ?? {});
  if (name === undefined) throw new Error("bug: npm installed nothing");
  const path = join("node_modules", name);
  return { name, path, ...versionIn(manifestOf(join(staging, path))) };
}

/** Allow only protocols that cannot run a program, unlike `ext::`. */
const GIT_ENVIRONMENT = { GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh" };
const COMMIT = /^[0-9a-f]{7,64}$/;

async function fromGit(
  { url, ref }: Extract<InstallSource, { kind: "git" }>,
  staging: string,
  { signal, onStep }: InstallOptions,
): Promise<Fetched> {
  const folder = nameOfSource({ kind: "git", url });
  onStep?.(`Cloning ${folder}`);
  const git = (cwd: string, ...args: string[]) =>
    runProgram({
      program: "git",
      args: ["-c", "core.hooksPath=/dev/null", ...args],
      cwd,
      signal,
      env: GIT_ENVIRONMENT,
    });
  const isCommit = ref !== undefined && COMMIT.test(ref);
  const depth = isCommit ? [] : ["--depth", "1", ...(ref === undefined ? [] : ["--branch", ref])];
  await git(staging, "clone", "--quiet", ...depth, "--", url, "package");
  const clone = join(staging, "package");
  if (isCommit) await git(clone, "checkout", "--quiet", "--detach", ref);
  const commit = (await git(clone, "rev-parse", "HEAD")).trim();
  // It may contain a password, and is not needed: an update clones again.
  rmSync(join(clone, ".git"), { recursive: true, force: true });
  const manifest = manifestOf(clone);
  if (Object.keys(manifest.dependencies ?? {}).length > 0) {
    onStep?.(`Installing the dependencies of ${folder}`);
    await runProgram({ program: "npm", args: NPM_INSTALL, cwd: clone, signal });
  }
  return { name: typeof manifest.name === "string" ? manifest.name : folder, path: "package", version: commit };
}

interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly dependencies?: Readonly<Record<string, unknown>>;
}

function manifestOf(folder: string): Manifest {
  const read = readTextFile(join(folder, "package.json"));
  const { name, version, dependencies } = (read.kind === "text" ? jsonObject(read.text) : undefined) ?? {};
  return { name, version, dependencies: isRecord(dependencies) ? dependencies : undefined };
}

function versionIn({ version }: Manifest): { readonly version?: string } {
  return typeof version === "string" ? { version } : {};
}

function filesAt(path: string, source: InstallSource): readonly string[] {
  const files = extensionsAt(path, "named").map(({ file }) => file);
  if (files.length > 0) return files;
  throw new InstallError("no-extension", `${shownSource(source)} contains no extension`, {
    data: { source: shownSource(source) },
    hint: "An extension is a script, or a folder with an index script or a package.json that names its scripts.",
  });
}

function keep(
  source: InstallSource,
  fetched: Fetched,
  { scope, files }: { readonly scope: ExtensionScope; readonly files: readonly string[] },
): InstallOutcome {
  const extension = { ...fetched, source: source.kind === "path" ? fetched.path : shownSource(source) };
  let kind: InstallOutcome["kind"] = "installed";
  changeInstalled(scope, ({ installed, disabled }) => {
    kind = installed.some(({ name }) => name === extension.name) ? "updated" : "installed";
    const others = installed.filter(({ name }) => name !== extension.name);
    return { installed: [...others, extension], disabled: disabled.filter((name) => name !== extension.name) };
  });
  return { kind, extension, files };
}

function packagesFolder({ folder }: ExtensionScope): string {
  return join(folder, "packages");
}

const STAGING = new RegExp(`^\\.new-(${OWNER_MARK})-[0-9a-f]{8}$`);

/** Creates a folder next to the final one, and removes those left behind by killed processes. */
function stagingFolder(scope: ExtensionScope): string {
  const packages = packagesFolder(scope);
  makeFolder(packages);
  // Installed packages can be reinstalled, so keep them out of the project's repository.
  if (scope.origin === "project") writeFileSync(join(packages, ".gitignore"), "*\n");
  for (const name of namesIn(packages)) {
    const mark = STAGING.exec(name)?.[1];
    if (mark !== undefined && isLeftBehind(mark)) rmSync(join(packages, name), { recursive: true, force: true });
  }
  const staging = join(packages, `.new-${ownerMark()}-${randomUUID().slice(0, 8)}`);
  mkdirSync(staging, { mode: 0o700 });
  return staging;
}

function replaceFolder(from: string, to: string): void {
  const old = `${from.slice(0, -8)}${randomUUID().slice(0, 8)}`;
  const isThere = existsSync(to);
  if (isThere) renameSync(to, old);
  try {
    renameSync(from, to);
  } catch (error) {
    if (isThere) renameSync(old, to);
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

const NAME = /^(@[\w.~-]+\/)?[\w~][\w.~-]*$/;

function named(name: string): string {
  if (NAME.test(name)) return name;
  throw new InstallError("bad-source", `Invalid extension name: ${name}`, {
    data: { name },
    hint: "Use letters, digits, dots, dashes and underscores: rename the file, the folder or the package.",
  });
}

function unknownExtension(name: string): InstallError {
  return new InstallError("unknown-extension", `Unknown extension: ${name}`, {
    data: { name },
    hint: "To list them: bough extensions",
  });
}
