/** What each MCP server adds to a request, and what it keeps out of it. */
import { tokensOfTools } from "../mcp/internal.js";
import type { AgentSession } from "./agent-session.js";

export interface ServerShare {
  readonly name: string;
  /** Tools in every request. */
  readonly sent: { readonly tools: number; readonly tokens: number };
  /** Tools that are found with `tool_search`; their tokens are not sent. */
  readonly searched: { readonly tools: number; readonly tokens: number };
}

/** Of servers that have tools. Before the first turn nothing is decided, so all of them count as searched. */
export function serverShares({
  servers,
  tools,
}: Pick<AgentSession, "tools"> & Partial<Pick<AgentSession, "servers">>): readonly ServerShare[] {
  if (servers === undefined) return [];
  const sentNames = new Set(tools.flatMap(({ name, server }) => (server === undefined ? [] : [name])));
  return servers.enabledNames.flatMap((name) => {
    const own = servers.tools().filter((tool) => tool.server === name);
    const sent = own.filter((tool) => sentNames.has(tool.name));
    const searched = own.filter((tool) => !sentNames.has(tool.name));
    const share = (list: typeof own) => ({ tools: list.length, tokens: tokensOfTools(list) });
    return own.length === 0 ? [] : [{ name, sent: share(sent), searched: share(searched) }];
  });
}
