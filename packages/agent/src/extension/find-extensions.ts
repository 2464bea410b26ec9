/** Finds extensions in the user's folder, in the project's folder if it is trusted, and by name. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";
import { errorText, isRecord, jsonObject } from "@bough/session/text/index.js";
import {
  type ExtensionScope,
  type InstalledExtension,
  type InstalledList,
  listFile,
  readInstalled,
} from "./install/installed-list.js";
import { packageScripts } from "./load/package-scripts.js";

export interface ExtensionSource {
  /** For messages: the name of the file or folder without extension. */
  readonly name: string;
  readonly file: string;
  readonly origin: "user" | "project" | "named";
}

export interface ExtensionPlaces {
  /** `$BOUGH_HOME`. */
  readonly home: string;
  readonly cwd: string;
  /** Whether the project may run its own code. */
  readonly trusted: boolean;
  /** Files or folders specified explicitly. */
  readonly named?: readonly string[];
}

export interface FoundExtensions {
  /** In load order: user, project, named. */
  readonly sources: readonly ExtensionSource[];
  /** Paths that cannot be extensions, with the reason. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** Files of project extensions that were skipped because the project is not trusted. */
  readonly untrusted: readonly string[];
}

const ENDINGS = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"]);
const INDEX_NAMES = ["index.ts", "index.mts", "index.cts", "index.js", "index.mjs", "index.cjs"];

/** Skips extensions that are switched off, and those of the project unless it is trusted. */
export function findExtensions(places: ExtensionPlaces): FoundExtensions {
  const problems: { path: string; message: string }[] = [];
  const sources: ExtensionSource[] = [];
  const user = inScope(userScope(places.home), problems);
  const project = inScope(projectScope(places.cwd), problems);
  sources.push(...user);
  if (places.trusted) sources.push(...project);
  for (const path of places.named ?? []) {
    const file = resolve(places.cwd, path);
    const found = extensionsAt(file, "named");
    sources.push(...found);
    if (found.length > 0) continue;
    const is = existsSync(file) ? "is neither a script nor a folder with an index script" : "does not exist";
    problems.push({ path, message: `${path} ${is}` });
  }
  return { sources, problems, untrusted: places.trusted ? [] : project.map((source) => source.file) };
}

/** The user's own extensions. `home` is `$BOUGH_HOME`. */
export function userScope(home: string): ExtensionScope {
  return { folder: home, origin: "user" };
}

/** The extensions of the project in this folder. */
export function projectScope(cwd: string): ExtensionScope {
  return { folder: join(cwd, ".bough"), origin: "project" };
}

type Problems = { path: string; message: string }[];

/** All extensions of a scope, switched off or not: the scripts in its folder, then the installed ones. */
export function extensionsOf(scope: ExtensionScope, problems: Problems): readonly FoundExtension[] {
  let list: InstalledList;
  try {
    list = readInstalled(scope);
  } catch (error) {
    // It is unknown which ones are switched off, so load none.
    problems.push({ path: listFile(scope), message: `${errorText(error)}; no extension in its folder is loaded` });
    return [];
  }
  const isOn = (name: string) => !list.disabled.includes(name);
  const found: FoundExtension[] = inFolder(join(scope.folder, "extensions"), scope.origin, problems).map((source) => ({
    source,
    enabled: isOn(source.name),
  }));
  for (const installed of list.installed) {
    const path = resolve(scope.folder, installed.path);
    const sources = extensionsAt(path, scope.origin);
    const enabled = isOn(installed.name);
    if (sources.length === 0 && enabled) {
      const again = `bough install${scope.origin === "project" ? " --project" : ""}`;
      problems.push({ path, message: `The extension ${installed.name} is missing. To install it again: ${again}` });
    }
    for (const source of sources) {
      const name = sources.length === 1 ? installed.name : `${installed.name}/${source.name}`;
      found.push({ source: { ...source, name }, enabled, installed });
    }
  }
  return found;
}

/** One extension of a scope. */
export interface FoundExtension {
  readonly source: ExtensionSource;
  /** False if it was switched off. */
  readonly enabled: boolean;
  /** Undefined for a script in the `extensions` folder. */
  readonly installed?: InstalledExtension;
}

function inScope(scope: ExtensionScope, problems: Problems): readonly ExtensionSource[] {
  return extensionsOf(scope, problems).flatMap(({ source, enabled }) => (enabled ? [source] : []));
}

function inFolder(folder: string, origin: ExtensionSource["origin"], problems: Problems): ExtensionSource[] {
  if (!existsSync(folder)) return [];
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOTDIR" ? "is a file, not a folder" : "cannot be read";
    problems.push({ path: folder, message: `${folder} ${reason}, so no extensions are loaded from it` });
    return [];
  }
  const found: ExtensionSource[] = [];
  for (const name of names) {
    if (name.startsWith(".") || name.endsWith(".d.ts")) continue;
    found.push(...extensionsAt(join(folder, name), origin));
  }
  return found;
}

/** The extensions at a path: a script, a folder or a package. */
export function extensionsAt(path: string, origin: ExtensionSource["origin"]): readonly ExtensionSource[] {
  const source = sourceAt(path, origin);
  if (source !== undefined && !isPackage(path)) return [source];
  const scripts = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? packageScripts(path) : undefined;
  if (scripts === undefined) return source === undefined ? [] : [source];
  return scripts.map((script) => {
    const name = scripts.length === 1 ? basename(path) : nameOf(script);
    return { name, file: join(path, script), origin };
  });
}

/** Whether the manifest lists extensions, which take precedence over the package's main script. */
function isPackage(path: string): boolean {
  const read = readTextFile(join(path, "package.json"));
  const { bough, pi } = (read.kind === "text" ? jsonObject(read.text) : undefined) ?? {};
  return [bough, pi].some((field) => isRecord(field) && Array.isArray(field.extensions));
}

/** `main` for `src/second/main.ts`; for an index script, the name of its folder. */
function nameOf(script: string): string {
  const name = basename(script, extname(script));
  return name === "index" ? basename(dirname(script)) : name;
}

function sourceAt(path: string, origin: ExtensionSource["origin"]): ExtensionSource | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() && ENDINGS.has(extname(path))) {
    return { name: basename(path, extname(path)), file: path, origin };
  }
  if (!stats?.isDirectory()) return undefined;
  const file = mainOf(path);
  return file === undefined ? undefined : { name: basename(path), file, origin };
}

function mainOf(folder: string): string | undefined {
  const manifest = join(folder, "package.json");
  const read = readTextFile(manifest);
  const main = read.kind === "text" ? mainIn(read.text) : undefined;
  const candidates = main === undefined ? INDEX_NAMES : [main, ...INDEX_NAMES];
  return candidates
    .map((name) => join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

function mainIn(manifest: string): string | undefined {
  // If the manifest is not JSON, fall back to the index script.
  const main = jsonObject(manifest)?.main;
  // A manifest may only name a file below its own folder.
  return typeof main === "string" && !main.split(/[/\\]/).includes("..") ? main : undefined;
}
