/** `ls`: lists a folder. */
import type { Dirent } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { IgnoreRules } from "@bough/workbench/checkpoint/internal.js";
import { z } from "zod";
import { defineTool, textResult } from "./define-tool.js";
import { pathField } from "./path/absolute-path.js";
import { allowedPath } from "./path/allowed-path.js";
import type { Tool } from "./tool.js";
import { systemCode, ToolFailure } from "./tool-failure.js";

const DEFAULT_LIMIT = 500;

const input = z.strictObject({
  path: pathField("Folder to list (default: the working directory).").optional(),
  sizes: z.boolean().optional().describe("Also give the size of each file in bytes."),
  limit: z.number().int().min(1).max(10_000).optional().describe(`Maximum entries (default ${DEFAULT_LIMIT}).`),
});

interface LsDetails {
  readonly path: string;
  /** Number of entries, including those not shown. */
  readonly entries: number;
  readonly truncated: boolean;
}

export function lsTool({ readable }: { readonly readable: readonly string[] }): Tool {
  return defineTool({
    name: "ls",
    description:
      "Lists a folder, sorted by name, including hidden entries. Folders end with a slash, links show their target, " +
      "and entries that ignore files exclude from searches are marked (ignored).",
    input,
    readOnly: true,
    run: async ({ path = ".", sizes = false, limit = DEFAULT_LIMIT }, context) => {
      const folder = await allowedPath({ tool: "ls", action: "read", path, readable }, context);
      const entries = await entriesOf(folder);
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const rules = new IgnoreRules();
      const lines: string[] = [];
      for (const entry of entries.slice(0, limit)) {
        context.signal.throwIfAborted();
        lines.push(await lineFor(entry, { folder: folder.real, rules, sizes }));
      }
      const details: LsDetails = { path: folder.real, entries: entries.length, truncated: entries.length > limit };
      if (entries.length === 0) return textResult("(The folder is empty.)", details);
      if (details.truncated) lines.push(`[Showing the first ${limit} of ${entries.length}. Raise limit, or use find]`);
      return textResult(lines.join("\n"), details);
    },
  });
}

async function entriesOf({ real, shown }: { readonly real: string; readonly shown: string }): Promise<Dirent[]> {
  try {
    return await readdir(real, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOTDIR") throw new ToolFailure(`${shown} is a file: use read`);
    throw error;
  }
}

async function lineFor(
  entry: Dirent,
  { folder, rules, sizes }: { readonly folder: string; readonly rules: IgnoreRules; readonly sizes: boolean },
): Promise<string> {
  const path = join(folder, entry.name);
  const isFolder = entry.isDirectory();
  const name = isFolder ? `${entry.name}/` : entry.name;
  const link = entry.isSymbolicLink() ? ` -> ${await orUnknown(readlink(path))}` : "";
  const size = sizes && entry.isFile() ? `  ${await orUnknown(lstat(path).then((info) => info.size))}` : "";
  const ignored = rules.ignores(path, isFolder ? "folder" : "file") ? "  (ignored)" : "";
  return `${name}${link}${size}${ignored}`;
}

/** An entry may disappear after it was listed. */
async function orUnknown<Value>(value: Promise<Value>): Promise<Value | "?"> {
  try {
    return await value;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "?";
  }
}
