import { createHash } from "node:crypto";

/** What providers take: letters, digits, `_` and `-`. */
const LONGEST_NAME = 64;

/**
 * What the model calls a tool of an MCP server. Rules such as `mcp(server/tool)` are about the same name, so both are
 * made here. A name that is too long ends in a hash of the whole.
 */
export function serverToolName(server: string, tool: string): string {
  const name = `${server}__${tool.replace(/[^A-Za-z0-9_-]/g, "_")}`;
  if (name.length <= LONGEST_NAME) return name;
  const hash = createHash("sha256").update(`${server}/${tool}`).digest("hex").slice(0, 8);
  return `${name.slice(0, LONGEST_NAME - hash.length - 1)}_${hash}`;
}
