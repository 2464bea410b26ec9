/** Names of Bough's own tools for servers. They are the same in every request, whatever the servers have. */
import { MCP_CALL } from "@bough/session/context/internal.js";

export { MCP_CALL };
export const TOOL_SEARCH = "tool_search";
export const MCP_RESOURCE = "mcp_resource";
