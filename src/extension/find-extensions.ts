/** Where extensions are looked for: the user's folder, the project's folder once it is trusted, and what was named. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { readTextFile } from "../log/index.js";
import { jsonObject } from "../text/index.js";

export interface ExtensionSource {
  /** For messages: the file or folder name without its ending. */
  readonly name: string;
  readonly file: string;
  readonly origin: "user" | "project" | "named";
}

export interface ExtensionPlaces {
  /** `$BOUGH_HOME`. */
  readonly home: string;
  readonly cwd: string;
  /** Whether the project may run code of its own. */
  readonly trusted: boolean;
  /** Files or folders given by name. */
  readonly named?: readonly string[];
}

export interface FoundExtensions {
  /** In load order: user, project, named; each by name. */
  readonly sources: readonly ExtensionSource[];
  /** What was named or found and cannot be an extension. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** The project has extensions that were omitted because it is not trusted. */
  readonly untrusted: readonly string[];
}

const ENDINGS = new Set([".ts", ".mts", ".js", ".mjs"]);
const INDEX_NAMES = ["index.ts", "index.mts", "index.js", "index.mjs"];

/** The extensions in the user's folder, in the project if it is trusted, and those that were named. */
export function findExtensions(places: ExtensionPlaces): FoundExtensions {
  const problems: { path: string; message: string }[] = [];
  const sources: ExtensionSource[] = [];
  const user = inFolder(join(places.home, "extensions"), { origin: "user", problems });
  const project = inFolder(join(places.cwd, ".bough", "extensions"), { origin: "project", problems });
  sources.push(...user);
  if (places.trusted) sources.push(...project);
  for (const path of places.named ?? []) {
    const source = sourceAt(resolve(places.cwd, path), "named");
    if (source !== undefined) sources.push(source);
    else problems.push({ path, message: `${path} is neither a script nor a folder with an index script` });
  }
  return { sources, problems, untrusted: places.trusted ? [] : project.map((source) => source.file) };
}

interface Looking {
  readonly origin: ExtensionSource["origin"];
  readonly problems: { path: string; message: string }[];
}

function inFolder(folder: string, { origin, problems }: Looking): ExtensionSource[] {
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
    const source = sourceAt(join(folder, name), origin);
    if (source !== undefined) found.push(source);
  }
  return found;
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
  // A manifest that is not JSON says nothing; the index script decides.
  const main = jsonObject(manifest)?.main;
  // A manifest may only name a file below its own folder.
  return typeof main === "string" && !main.split(/[/\\]/).includes("..") ? main : undefined;
}
