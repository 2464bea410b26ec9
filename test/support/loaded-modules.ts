/** Which modules a script loads, in a process of its own. Of a bundle those count that are inside, as its map tells. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Tells every file that is loaded, from the thread that loads them. */
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(1, "\\nloads " + url + "\\n");
  return next(url, context);
}`;

/** A file of the build as a script imports it. */
export function built(path: string): string {
  return JSON.stringify(pathToFileURL(join(dist, path)).href);
}

export interface LoadedModules {
  /** The files themselves. */
  readonly files: readonly string[];
  /** Names of packages, those inside of bundles included. */
  readonly packages: readonly string[];
  /** Rooms of ours. */
  readonly rooms: readonly string[];
  /** Our own modules, as `room/file.ts`, those inside of bundles included; `?row` after it is the row of a subcommand alone. */
  readonly modules: readonly string[];
}

export interface ProgramRun {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Those that read and write other agents' transcripts. What only talks about such sessions is not among them. */
export function transcriptModules({ modules }: Pick<LoadedModules, "modules">): readonly string[] {
  return modules.filter((name) => name.startsWith("interop/") && /reader|writer|agents\.ts$/.test(name));
}

/** Runs the text of a module, or the program with arguments. */
export function modulesLoadedBy(wanted: string | ProgramRun): LoadedModules {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`;
  const start = `import { register } from "node:module"; register(${JSON.stringify(hooks)});`;
  const what =
    typeof wanted === "string" ? ["--input-type=module", "-e", wanted] : [join(dist, "cli", "main.js"), ...wanted.args];
  const output = execFileSync(
    process.execPath,
    ["--no-warnings", "--import", `data:text/javascript,${encodeURIComponent(start)}`, ...what],
    { encoding: "utf8", input: "", ...(typeof wanted === "string" ? {} : { env: wanted.env, cwd: wanted.cwd }) },
  );
  const files = [...output.matchAll(/^loads (file:.*)$/gm)].map(([, url]) => fileURLToPath(url as string));
  const modules = files.flatMap((file) => [file, ...sourcesOf(file)]);
  return {
    files,
    packages: namesIn(modules, /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/),
    rooms: namesIn(modules, /\/src\/([a-z]+)\//),
    modules: namesIn(modules, /\/src\/([a-z]+\/.*\.ts(?:\?row)?)$/),
  };
}

function sourcesOf(file: string): readonly string[] {
  if (!existsSync(`${file}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { readonly sources: readonly string[] };
  return sources.map((source) => resolve(dirname(file), source));
}

function namesIn(modules: readonly string[], shape: RegExp): readonly string[] {
  const names = modules.flatMap((module) => shape.exec(module)?.[1] ?? []);
  return [...new Set(names)].sort();
}
