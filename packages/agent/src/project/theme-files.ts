/** Themes in JSON files with `name`, `vars` and `colors`, in pi's format. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ReadTextOptions, readTextFile } from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import { homeAndProject, type ProjectPlace, type ProjectProblem, sortedNames } from "./project-files.js";

/** `#rrggbb`, a color number from 0 to 255, or "" for the terminal's default. */
export type ThemeColor = string | number;

export interface ThemeFile {
  readonly name: string;
  readonly path: string;
  /** Keyed by pi's names, such as `accent` and `toolDiffAdded`. Variables are resolved. */
  readonly colors: Readonly<Record<string, ThemeColor>>;
}

interface ReadThemes {
  readonly themes: readonly ThemeFile[];
  readonly problems: readonly ProjectProblem[];
}

type ThemePath = { readonly path: string; readonly reading: ReadTextOptions };

/** The themes in `themes/` of Bough's folder and, if the project is trusted, of `.bough`. */
export function readThemes(place: ProjectPlace): ReadThemes {
  const [own, project] = homeAndProject(place, "themes");
  const folders = [own, ...(place.trusted ? [project] : [])].filter((one) => one !== undefined);
  return readThemeFiles(
    folders.flatMap(({ folder, reading }) =>
      sortedNames(folder).map((file) => ({ path: join(folder, file), reading })),
    ),
  );
}

/** Reads the themes from the `.json` files among these. If two have the same name, the first one is used. */
export function readThemeFiles(files: readonly ThemePath[]): ReadThemes {
  const themes = new Map<string, ThemeFile>();
  const problems: ProjectProblem[] = [];
  for (const { path, reading } of files) {
    if (!path.endsWith(".json")) continue;
    const read = readTextFile(path, reading);
    const parsed =
      read.kind === "text" ? parseTheme(path, read.text) : read.kind === "unreadable" ? read.reason : "Not found";
    if (typeof parsed === "string") problems.push({ file: path, message: `Theme not used: ${parsed}` });
    else if (RESERVED.has(parsed.name) || themes.has(parsed.name))
      problems.push({ file: path, message: `Theme not used: there is already one called ${parsed.name}` });
    else themes.set(parsed.name, parsed);
  }
  return { themes: [...themes.values()], problems };
}

/**
 * The theme paths of an extension's package: those listed in `bough.themes` or `pi.themes` of its manifest, otherwise
 * its `themes` folder. Paths outside the package are ignored.
 */
export function packageThemes(script: string): readonly string[] {
  const folder = dirname(script);
  const root = [folder, dirname(folder)].find((one) => statSync(join(one, "package.json"), { throwIfNoEntry: false }));
  if (root === undefined) return [];
  const read = readTextFile(join(root, "package.json"));
  const manifest = read.kind === "text" ? jsonObject(read.text) : undefined;
  const listed = listIn(manifest?.bough) ?? listIn(manifest?.pi) ?? ["themes"];
  const inside = listed.filter((path) => !path.startsWith("/") && !path.split(/[/\\]/).includes(".."));
  return inside.map((path) => join(root, path)).filter((path) => statSync(path, { throwIfNoEntry: false }));
}

function listIn(field: unknown): readonly string[] | undefined {
  const list = isRecord(field) ? field.themes : undefined;
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : undefined;
}

/** Names of built-in themes. */
const RESERVED: ReadonlySet<string> = new Set(["default", "auto", "dark", "light"]);
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/** Returns the theme, or what is wrong with it. */
function parseTheme(path: string, text: string): ThemeFile | string {
  const file = jsonObject(text);
  if (file === undefined) return "it is not a JSON object";
  const { name, vars = {}, colors } = file;
  if (typeof name !== "string" || !NAME.test(name)) return "its name is missing or has invalid characters";
  if (!isRecord(colors) || !isRecord(vars)) return "it has no colors";
  const filled: [string, ThemeColor][] = [];
  for (const [role, value] of Object.entries(colors)) {
    const color = filledIn(value, vars);
    if (color === undefined) return `the color ${role} is neither #rrggbb, 0 to 255, "" nor a variable`;
    filled.push([role, color]);
  }
  return { name, path, colors: Object.fromEntries(filled) };
}

/** Resolves variables, which may refer to others; undefined for a missing or circular one. */
function filledIn(value: unknown, vars: Readonly<Record<string, unknown>>): ThemeColor | undefined {
  let color = value;
  for (const seen = new Set<unknown>(); ; color = vars[color as string]) {
    if (typeof color === "number") return Number.isInteger(color) && color >= 0 && color <= 255 ? color : undefined;
    if (typeof color !== "string") return undefined;
    if (color === "" || /^#[0-9a-f]{6}$/i.test(color)) return color;
    if (seen.has(color) || !Object.hasOwn(vars, color)) return undefined;
    seen.add(color);
  }
}
