/** Tools of MCP servers in rules: `mcp(docs/search)`, `mcp(docs/get_*)`, or `delete_*` of every server. */

/** All ways to split `server__tool`, because the name of a tool may contain `__` too. */
export function splitsOf(name: string): readonly McpName[] {
  return [...name.matchAll(/(?<=.)__(?=.)/gs)].map(({ index }) => ({
    server: name.slice(0, index),
    tool: name.slice(index + 2),
  }));
}

interface McpName {
  readonly server: string;
  readonly tool: string;
}

export function matchesMcp(pattern: McpName, name: McpName | undefined): boolean {
  return name !== undefined && matchesStar(pattern.server, name.server) && matchesStar(pattern.tool, name.tool);
}

/** A pattern that matches only this name; `\*` is a literal star. */
export function escapedName(name: string): string {
  return name.replace(/[*\\]/g, "\\$&");
}

/**
 * `*` matches any characters, `\*` itself. Not a regular expression, which could backtrack on patterns with many stars.
 */
export function matchesStar(pattern: string, text: string): boolean {
  const parts = pattern.split(/(?<!\\)\*/).map((part) => part.replace(/\\(.)/gs, "$1"));
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return first === text;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
