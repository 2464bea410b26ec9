import { createHash } from "node:crypto";

/** The limit of model providers, who accept only letters, digits, `_` and `-`. */
const LONGEST_NAME = 64;

/**
 * The name by which the model calls a tool of an MCP server. Rules such as `mcp(server/tool)` use the same name, so
 * both get it from here. A name that is too long is cut and ends in a hash of the full name.
 */
export function serverToolName(server: string, tool: string): string {
  const name = `${server}__${tool.replace(/[^A-Za-z0-9_-]/g, "_")}`;
  if (name.length <= LONGEST_NAME) return name;
  const hash = createHash("sha256").update(`${server}/${tool}`).digest("hex").slice(0, 8);
  return `${name.slice(0, LONGEST_NAME - hash.length - 1)}_${hash}`;
}
