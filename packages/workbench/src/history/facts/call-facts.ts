/** What a tool call of any agent does: the files it changes or reads, or the command it runs. */
import { isRecord } from "@bough/session/text/index.js";

export interface CallFacts {
  readonly changes: readonly string[];
  readonly reads: readonly string[];
  readonly command: string | undefined;
}

const PATHS = ["path", "file_path", "filePath", "absolute_path", "notebook_path", "filename", "file"] as const;
const COMMANDS = ["command", "cmd", "script"] as const;
const CHANGING =
  /^(?:.*[_.-])?(?:write|edit|multi_?edit|replace|patch|apply_patch|create|str_replace\w*|update|delete|notebookedit|writefile|write_file|edit_file)$/i;
const READING = /read|view|cat|open|grep|glob|find|search|ls|list/i;
const PATCH_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;
const LONGEST_PATH = 400;
const MOST_PATHS = 50;

export function callFacts(name: string, input: Readonly<Record<string, unknown>>): CallFacts {
  const command = commandOf(name, input);
  const patched = patchedFiles(input, command);
  if (patched.length > 0) return { changes: patched, reads: [], command: undefined };
  const paths = pathsOf(input);
  if (CHANGING.test(name)) return { changes: paths, reads: [], command: undefined };
  if (command !== undefined) return { changes: [], reads: [], command };
  return { changes: [], reads: READING.test(name) ? paths : [], command: undefined };
}

function pathsOf(input: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  for (const key of PATHS) addPath(input[key], found);
  for (const list of [input.paths, input.files]) {
    if (!Array.isArray(list)) continue;
    for (const item of list.slice(0, MOST_PATHS)) addPath(isRecord(item) ? item.path : item, found);
  }
  return found;
}

function addPath(value: unknown, found: string[]): void {
  if (typeof value !== "string" || value === "" || value.length > LONGEST_PATH || value.includes("\n")) return;
  if (!found.includes(value)) found.push(value);
}

/** The command, given as a line or as words as in Codex: `["bash", "-lc", "npm test"]`. */
function commandOf(name: string, input: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of COMMANDS) {
    const value = input[key];
    if (typeof value === "string" && value !== "" && !/edit|write/i.test(name)) return value;
    if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) continue;
    const [, flag, line] = value as readonly string[];
    return flag !== undefined && /^-\w*c$/.test(flag) && line !== undefined ? line : value.join(" ");
  }
  return undefined;
}

/** Files of a patch in Codex's format, which is passed to a tool of its own or in a shell command. */
function patchedFiles(input: Readonly<Record<string, unknown>>, command: string | undefined): string[] {
  const found: string[] = [];
  for (const text of [input.input, input.patch, input.patchText, command]) {
    if (typeof text !== "string" || !text.includes("*** Begin Patch")) continue;
    for (const [, file, moved] of text.matchAll(PATCH_FILE)) {
      if (found.length < MOST_PATHS) addPath((file ?? moved ?? "").trim(), found);
    }
  }
  return found;
}
