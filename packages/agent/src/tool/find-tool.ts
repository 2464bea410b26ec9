/** `find`: paths that match a glob. */
import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { IgnoreRules } from "@bough/workbench/checkpoint/internal.js";
import { z } from "zod";
import { defineTool, textResult } from "./define-tool.js";
import { pathField } from "./path/absolute-path.js";
import { allowedPath, isClosedTo } from "./path/allowed-path.js";
import { isInside } from "./path/inside.js";
import { listFiles } from "./search/list-files.js";
import { searchGlob } from "./search/search-glob.js";
import type { Tool } from "./tool.js";
import { ToolFailure } from "./tool-failure.js";

const DEFAULT_LIMIT = 1000;
const MAX_CHARACTERS = 50_000;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      "A glob. Without a slash it matches names at any depth (*.ts), with one it is relative to path (src/**/*.ts).",
    ),
  path: pathField("Folder to search (default: the working directory).").optional(),
  kind: z.enum(["file", "folder", "any"]).optional().describe("What to look for (default file)."),
  limit: z.number().int().min(1).max(10_000).optional().describe(`Maximum paths (default ${DEFAULT_LIMIT}).`),
});

interface FindDetails {
  /** Number of matches, including those not shown. */
  readonly found: number;
  readonly truncated: boolean;
}

export function findTool({ readable }: { readonly readable: readonly string[] }): Tool {
  return defineTool({
    name: "find",
    description:
      "Finds files and folders by name. Returns sorted paths; folders end with a slash. Skips .git and files excluded by .gitignore, .ignore or " +
      ".rgignore; includes hidden files. Links are listed, not followed.",
    input,
    readOnly: true,
    run: async ({ pattern, path = ".", kind = "file", limit = DEFAULT_LIMIT }, context) => {
      const folder = await allowedPath({ tool: "find", action: "read", path, readable }, context);
      if (!(await stat(folder.real)).isDirectory()) throw new ToolFailure(`${folder.shown} is a file, not a folder`);
      if (pattern.startsWith("!")) throw new ToolFailure("The pattern must say what to find, not what to exclude");
      const found = await listFiles({
        root: folder.real,
        pattern: searchGlob(pattern) ?? "**",
        kind,
        rules: new IgnoreRules(),
        isClosed: (found) => isClosedTo(folder.real, { path: found, place: folder.place }),
        signal: context.signal,
      });
      const prefix = isInside(folder.place.cwd, folder.real) ? relative(folder.place.cwd, folder.real) : folder.real;
      const shown = upToCharacters(found.slice(0, limit).map((name) => join(prefix, name)));
      const details: FindDetails = { found: found.length, truncated: shown.length < found.length };
      const note = details.truncated
        ? [`[Showing the first ${shown.length} of ${found.length}. Narrow the pattern or the path]`]
        : [];
      return textResult(found.length === 0 ? "Nothing found" : [...shown, ...note].join("\n"), details);
    },
  });
}

function upToCharacters(paths: readonly string[]): readonly string[] {
  let characters = 0;
  const end = paths.findIndex((path) => {
    characters += path.length + 1;
    return characters > MAX_CHARACTERS;
  });
  return end < 0 ? paths : paths.slice(0, end);
}
