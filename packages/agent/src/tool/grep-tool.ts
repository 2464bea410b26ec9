/** `grep`: lines that match a pattern, in a file or a tree. */
import { dirname, join, relative } from "node:path";
import { IgnoreRules } from "@bough/workbench/checkpoint/internal.js";
import { z } from "zod";
import { defineTool, textResult } from "./define-tool.js";
import { refuseSpecial } from "./file/read-head.js";
import { pathField } from "./path/absolute-path.js";
import { allowedPath } from "./path/allowed-path.js";
import { isInside } from "./path/inside.js";
import { grepWithoutRipgrep } from "./search/grep-fallback.js";
import type { GrepLine, GrepOutcome, GrepRequest } from "./search/grep-request.js";
import { grepWithRipgrep } from "./search/grep-ripgrep.js";
import { searchGlob } from "./search/search-glob.js";
import type { Tool } from "./tool.js";

const DEFAULT_LIMIT = 100;
const MAX_CHARACTERS = 30_000;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .refine((pattern) => !/[\n\0]/.test(pattern), "a pattern cannot match across lines")
    .describe("A regular expression, matched line by line."),
  path: pathField("File or folder to search (default: the working directory).").optional(),
  glob: z
    .string()
    .min(1)
    .optional()
    .describe("Only search files that match, such as *.ts or src/**/*.ts; start it with ! to exclude files."),
  ignoreCase: z.boolean().optional().describe("Ignore case."),
  literal: z.boolean().optional().describe("Treat the pattern as plain text, not as a regular expression."),
  context: z.number().int().min(0).max(20).optional().describe("Lines to show around each match."),
  limit: z.number().int().min(1).max(1000).optional().describe(`Maximum matches (default ${DEFAULT_LIMIT}).`),
});

interface GrepDetails {
  readonly matches: number;
  /** Whether there are more matches than shown. */
  readonly truncated: boolean;
  readonly engine: "ripgrep" | "own";
}

interface GrepToolOptions {
  readonly readable: readonly string[];
  /** The ripgrep program; `null` always uses the built-in search. */
  readonly ripgrep: string | null;
}

export function grepTool({ readable, ripgrep }: GrepToolOptions): Tool {
  return defineTool({
    name: "grep",
    description:
      "Searches file contents. Returns path:line: text, sorted by path. Skips .git, binary files and files excluded by .gitignore, " +
      ".ignore or .rgignore; includes hidden files.",
    input,
    readOnly: true,
    run: async ({ path = ".", ...wanted }, context) => {
      const target = await allowedPath({ tool: "grep", action: "read", path, readable }, context);
      const request: GrepRequest = {
        root: target.real,
        rootIsFile: !(await refuseSpecial(target.real)).isDirectory(),
        pattern: wanted.pattern,
        literal: wanted.literal ?? false,
        ignoreCase: wanted.ignoreCase ?? false,
        glob: wanted.glob === undefined ? undefined : searchGlob(wanted.glob),
        context: wanted.context ?? 0,
        limit: wanted.limit ?? DEFAULT_LIMIT,
        rules: new IgnoreRules(),
        place: target.place,
        signal: context.signal,
      };
      const { outcome, engine } = await search(request, ripgrep);
      const folder = request.rootIsFile ? dirname(target.real) : target.real;
      const shownFolder = isInside(target.place.cwd, folder) ? relative(target.place.cwd, folder) : folder;
      return report({ outcome, engine, shownFolder, request });
    },
  });
}

interface Searched {
  readonly outcome: GrepOutcome;
  readonly engine: GrepDetails["engine"];
}

/** A pattern that ripgrep does not support (look-around, back references) may still work in the built-in search. */
async function search(request: GrepRequest, ripgrep: string | null): Promise<Searched> {
  if (ripgrep !== null) {
    const result = await grepWithRipgrep(ripgrep, request);
    if (result.kind === "searched") return { outcome: result.outcome, engine: "ripgrep" };
  }
  return { outcome: await grepWithoutRipgrep(request), engine: "own" };
}

interface Report extends Searched {
  readonly shownFolder: string;
  readonly request: GrepRequest;
}

function report({ outcome, engine, shownFolder, request }: Report) {
  const lines: string[] = [];
  let characters = 0;
  let previous: GrepLine | undefined;
  let shownMatches = 0;
  for (const line of outcome.lines) {
    const joined = previous !== undefined && previous.file === line.file && previous.line + 1 === line.line;
    const mark = line.isMatch ? ":" : "-";
    const text = `${join(shownFolder, line.file)}${mark}${line.line}${mark} ${line.text}`;
    if (characters + text.length > MAX_CHARACTERS) break;
    if (request.context > 0 && previous !== undefined && !joined) lines.push("--");
    lines.push(text);
    characters += text.length + 1;
    if (line.isMatch) shownMatches++;
    previous = line;
  }
  const truncated = outcome.more || shownMatches < outcome.matches;
  if (outcome.matches === 0) lines.push("No matches");
  if (truncated)
    lines.push(`[Showing the first ${shownMatches} matches; there are more. Narrow the pattern, path or glob]`);
  for (const note of outcome.notes) lines.push(`[${note}]`);
  const details: GrepDetails = { matches: shownMatches, truncated, engine };
  return textResult(lines.join("\n"), details);
}
