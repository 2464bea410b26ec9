/** Describes a tool call in one line. */
import { firstWords, isRecord } from "../../text/index.js";
import type { Fields } from "./read-content.js";

/** "bash  npm test", "edit  src/lex.ts +3 -1", "read  src/lex.ts:10-40". */
export function toolTitle(name: string, input: Fields, details?: unknown): string {
  const tool = firstWords(name, 60);
  const what = describe(tool, input, isRecord(details) ? details : {});
  return what === "" ? tool : `${tool}  ${what}`;
}

function describe(tool: string, input: Fields, details: Fields): string {
  switch (tool) {
    case "bash":
      return words(input.command);
    case "read":
      return `${pathIn(input)}${lines(input)}`;
    case "edit":
    case "write":
      return [pathIn(input), changeOf(details)].filter((part) => part !== "").join(" ");
    case "grep":
    case "find":
      return [words(input.pattern), pathIn(input), words(input.glob)].filter((part) => part !== "").join("  ");
    case "ls":
      return pathIn(input) || ".";
    case "web_fetch":
      return words(input.url);
    case "web_search":
      return words(input.query);
    case "spawn":
      return [words(input.agent), words(input.description) || words(input.task)]
        .filter((text) => text !== "")
        .join(": ");
    case "todo":
      return todoCounts(input.items);
    default:
      return anyArguments(input);
  }
}

/** "2 of 5 done" */
function todoCounts(items: unknown): string {
  if (!Array.isArray(items)) return "";
  const done = items.filter((item) => isRecord(item) && item.status === "done").length;
  return `${done} of ${items.length} done`;
}

export function pathIn(input: Fields): string {
  return words(input.path) || words(input.file_path) || words(input.filePath);
}

function lines({ offset, limit }: Fields): string {
  if (typeof offset !== "number" && typeof limit !== "number") return "";
  const first = typeof offset === "number" ? offset : 1;
  return typeof limit === "number" ? `:${first}-${first + limit - 1}` : `:${first}-`;
}

function changeOf({ change, added, removed }: Fields): string {
  if (change === "created") return "(new)";
  if (change === "unchanged") return "(no change)";
  return typeof added === "number" && typeof removed === "number" ? `+${added} -${removed}` : "";
}

/** Arguments of an unknown tool: strings and numbers, as many as fit a line. */
function anyArguments(input: Fields): string {
  const parts: string[] = [];
  let length = 0;
  for (const [key, value] of Object.entries(input)) {
    const text = typeof value === "string" ? value : typeof value === "object" ? "" : String(value);
    if (text === "" || length > 200) continue;
    const part = `${firstWords(key, 40)}: ${firstWords(text, 120)}`;
    parts.push(part);
    length += part.length;
  }
  return parts.join("  ");
}

function words(value: unknown): string {
  return typeof value === "string" ? firstWords(value, 200) : "";
}
