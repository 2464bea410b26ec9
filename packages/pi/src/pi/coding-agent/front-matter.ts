/** Parses the front matter of a Markdown file: the part of YAML that prompts, skills and agents use. */
import { splitFrontMatter } from "@bough/agent/project/internal.js";
import { isRecord } from "@bough/session/text/index.js";

interface ParsedFrontmatter {
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Supports indented and bracketed lists and maps, quoted and plain values, `|` and `>` blocks. A file without front
 * matter is all body.
 */
export function parseFrontmatter(content: string): ParsedFrontmatter {
  const { head, body } = splitFrontMatter(content);
  const value = head === undefined ? {} : new HeadReader(head).block(0);
  return { frontmatter: isRecord(value) ? value : {}, body };
}

export function stripFrontmatter(content: string): string {
  return parseFrontmatter(content).body;
}

const PAIR = /^("[^"]*"|'[^']*'|[^\s#:[\]{},][^:]*?)\s*:(?:\s+(.*)|\s*)$/;

class HeadReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Everything at this indentation or deeper: a list, a map, or a single value. */
  block(indent: number): unknown {
    const line = this.#peek();
    if (line === undefined || indentOf(line) < indent) return null;
    const depth = indentOf(line);
    if (/^\s*-(\s|$)/.test(line)) return this.#list(depth);
    if (PAIR.test(line.trim())) return this.#map(depth);
    this.#at++;
    return scalar(line.trim());
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#peek(); line !== undefined; line = this.#peek()) {
      if (indentOf(line) !== depth || !/^\s*-(\s|$)/.test(line)) break;
      const rest = line.trim().slice(1).trim();
      this.#at++;
      items.push(rest === "" ? this.block(depth + 1) : this.#value(rest, depth));
    }
    return items;
  }

  #map(depth: number): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (let line = this.#peek(); line !== undefined; line = this.#peek()) {
      const pair = indentOf(line) === depth ? PAIR.exec(line.trim()) : null;
      if (pair === null) break;
      this.#at++;
      const key = String(unquoted(pair[1] as string) ?? pair[1]);
      const rest = withoutComment(pair[2] ?? "");
      // A list may have the same indentation as its key.
      const next = this.#peek();
      const isListBelow = next !== undefined && indentOf(next) === depth && /^\s*-(\s|$)/.test(next);
      fields[key] = rest === "" ? this.block(isListBelow ? depth : depth + 1) : this.#value(rest, depth);
    }
    return fields;
  }

  #value(text: string, depth: number): unknown {
    const block = /^([|>])([+-]?)$/.exec(text);
    if (block === null) return scalar(text);
    const kept: string[] = [];
    for (let line = this.#lines[this.#at]; line !== undefined; line = this.#lines[this.#at]) {
      if (line.trim() !== "" && indentOf(line) <= depth) break;
      kept.push(line);
      this.#at++;
    }
    const margin = Math.min(...kept.filter((line) => line.trim() !== "").map(indentOf));
    const texts = kept.map((line) => line.slice(Number.isFinite(margin) ? margin : 0));
    const joined = block[1] === "|" ? texts.join("\n") : texts.join("\n").replace(/([^\n])\n(?=[^\n])/g, "$1 ");
    const trimmed = joined.replace(/\n+$/, "");
    return block[2] === "-" ? trimmed : `${trimmed}\n`;
  }

  /** The next line that is not blank and not a comment. */
  #peek(): string | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] as string;
      if (line.trim() !== "" && !line.trim().startsWith("#")) return line;
    }
    return undefined;
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function withoutComment(text: string): string {
  return /^["']/.test(text) ? text : text.replace(/\s+#.*$/, "");
}

function unquoted(text: string): string | undefined {
  if (/^".*"$/s.test(text)) {
    try {
      return String(JSON.parse(text));
    } catch {
      return text.slice(1, -1);
    }
  }
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined;
}

function scalar(written: string): unknown {
  const text = withoutComment(written).trim();
  const quoted = unquoted(text);
  if (quoted !== undefined) return quoted;
  if (/^\[.*\]$/s.test(text)) return parts(text.slice(1, -1)).map(scalar);
  if (/^\{.*\}$/s.test(text)) {
    return Object.fromEntries(
      parts(text.slice(1, -1)).map((pair) => {
        const [, key = pair, value = ""] = PAIR.exec(pair) ?? [];
        return [unquoted(key) ?? key, scalar(value)];
      }),
    );
  }
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (text === "" || text === "~" || /^null$/i.test(text)) return null;
  if (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  return text;
}

/** Splits at commas outside quotes and brackets. */
function parts(text: string): string[] {
  const found = text.match(/(?:"[^"]*"|'[^']*'|\[[^\]]*\]|\{[^}]*\}|[^,])+/g) ?? [];
  return found.map((part) => part.trim()).filter((part) => part !== "");
}
