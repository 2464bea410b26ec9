/** Exports for Bough's other rooms only. */

export { ServerConnection } from "./connection/server-connection.js";
export { isServersTool } from "./mcp-servers.js";
export { login, logout } from "./oauth/login.js";
export { type LoopbackRedirect, loopbackRedirect } from "./oauth/loopback-redirect.js";
export { serversNote, type ToldServers, toldServers } from "./servers-note.js";
export { serversSettingsSchema } from "./settings/server-settings-schema.js";
export { namedCall } from "./tool/call-tool.js";
export { tokensOfTools } from "./tool/exposure.js";
export { rememberedServer, rememberServer } from "./tool/tool-cache.js";
export { MCP_CALL, MCP_RESOURCE, TOOL_SEARCH } from "./tool/tool-names.js";
