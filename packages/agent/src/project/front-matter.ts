/** A Markdown file with `key: value` lines between two `---` at the top. */
interface FrontMatter {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
  /** A sentence on the first invalid line; undefined if all are valid. */
  readonly problem?: string;
}

/**
 * Reads the simple subset of YAML that such files use: plain or quoted values on one line, and `>` or `|` blocks. Other
 * lines are skipped. A file without front matter is all body.
 */
export function readFrontMatter(text: string): FrontMatter {
  const { head, body } = splitFrontMatter(text);
  if (head === undefined) return { fields: {}, body: body.trim() };
  const fields: Record<string, string> = {};
  let problem: string | undefined;
  for (let n = 0; n < head.length; n++) {
    const match = /^([A-Za-z][\w-]*):[ \t]*(.*?)[ \t]*$/.exec(head[n] as string);
    if (match === null) {
      // Lists and nested fields are valid, but not read here.
      if (!/^(?:\s*$|\s*#|\s*-(?:\s|$)|[ ]+\S)/.test(head[n] as string)) problem ??= lineProblem(n, "is not a field");
      continue;
    }
    const [, key = "", value = ""] = match;
    if (/^[>|][+-]?$/.test(value)) {
      const block: string[] = [];
      while (n + 1 < head.length && /^(\s+|$)/.test(head[n + 1] as string)) block.push((head[++n] as string).trim());
      fields[key] = block.join(value.startsWith(">") ? " " : "\n").trim();
    } else {
      if (isOpen(value)) problem ??= lineProblem(n, "has a quote or bracket that is not closed");
      fields[key] = unquoted(value);
    }
  }
  return { fields, body, problem };
}

/**
 * Splits the lines between the two `---` at the top from the text below. Without front matter, the text is all body.
 */
export function splitFrontMatter(text: string): {
  readonly head: readonly string[] | undefined;
  readonly body: string;
} {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  const end = lines[0]?.trimEnd() === "---" ? lines.findIndex((line, n) => n > 0 && line.trimEnd() === "---") : -1;
  if (end < 0) return { head: undefined, body: lines.join("\n") };
  const body = lines.slice(end + 1).join("\n");
  return { head: lines.slice(1, end), body: body.trim() };
}

/** Line 1 is the line with the dashes. */
function lineProblem(index: number, what: string): string {
  return `Line ${index + 2} ${what}`;
}

function isOpen(value: string): boolean {
  const first = value[0] ?? "";
  if (first === '"' || first === "'") return value.length === 1 || !value.replace(/\s+#.*$/, "").endsWith(first);
  return (first === "[" && !value.includes("]")) || (first === "{" && !value.includes("}"));
}

function unquoted(value: string): string {
  const match = /^(["'])(.*)\1$/.exec(value);
  return match?.[2] ?? value;
}
