/** The text of an entry that a user would have seen. */
import type { SessionEntry } from "../../entry/index.js";
import { replacementOf } from "../../entry/internal.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Everything searchable in an entry, each part on its own line: message texts, thinking, tool names and the values of
 * their arguments, results, shell commands and output, summaries, extension messages, labels and names. Never images,
 * IDs, keys, signatures or extension state. Empty for an entry without text.
 *
 * Entries come from many programs: a field of the wrong type counts as missing. A number among arguments counts only if
 * `line`, the entry as it is in the log, has it in JavaScript notation: one written as `1e3` contains no `1000` for a
 * search on bytes to find.
 */
export function entryText(entry: SessionEntry, line: string): string {
  const parts = new Parts(line);
  const fields = entry as unknown as Fields;
  switch (fields.type) {
    case "message":
      if (isObject(fields.message)) addMessage(fields.message, parts);
      break;
    case "compaction":
    case "branch_summary":
      addString(fields.summary, parts);
      break;
    case "custom_message":
      addContent(fields.content, parts);
      break;
    case "context_edit":
      addContent(replacementOf(fields), parts);
      break;
    case "label":
      addString(fields.label, parts);
      break;
    case "session_info":
      addString(fields.name, parts);
      break;
    case "title_change":
      addString(fields.title, parts);
      break;
  }
  return parts.text();
}

class Parts {
  readonly #parts: string[] = [];
  readonly #line: string;
  #numbers: ReadonlySet<string> | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  add(text: string): void {
    this.#parts.push(text);
  }

  addNumber(value: number): void {
    this.#numbers ??= new Set(this.#line.match(/-?[0-9][0-9.eE+-]*/g));
    const text = String(value);
    if (this.#numbers.has(text)) this.#parts.push(text);
  }

  text(): string {
    return this.#parts.join("\n");
  }
}

function addMessage(message: Fields, parts: Parts): void {
  addContent(message.content, parts);
  // Shell and Python runs, summaries, mentioned files and failures keep their text in fields of their own.
  for (const key of ["command", "code", "output", "summary", "errorMessage"]) addString(message[key], parts);
  if (!Array.isArray(message.files)) return;
  for (const file of message.files) {
    if (!isObject(file)) continue;
    addString(file.path, parts);
    addString(file.content, parts);
  }
}

function addContent(content: unknown, parts: Parts): void {
  addString(content, parts);
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (!isObject(block)) continue;
    addString(block.text, parts);
    addString(block.thinking, parts);
    if (block.type !== "toolCall") continue;
    addString(block.name, parts);
    addValues(block.arguments, parts);
  }
}

/**
 * The strings, numbers and booleans inside a value, in order. Iterative, because arguments can be nested ten thousand
 * deep.
 */
function addValues(value: unknown, parts: Parts): void {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") parts.add(next);
    else if (typeof next === "boolean") parts.add(String(next));
    else if (typeof next === "number") parts.addNumber(next);
    else if (typeof next === "object" && next !== null) {
      const inside = Object.values(next);
      for (let i = inside.length - 1; i >= 0; i--) waiting.push(inside[i]);
    }
  }
}

function addString(value: unknown, parts: Parts): void {
  if (typeof value === "string" && value !== "") parts.add(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
