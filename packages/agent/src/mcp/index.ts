/** MCP servers: their settings, connections, tools, resources and prompts. */
export type { ServerQuestions } from "./connection/elicit.js";
export type { ServerPrompt, ServerResource } from "./connection/listed-items.js";
export { openInBrowser } from "./connection/open-in-browser.js";
export type { ServerState, TransportPlace } from "./connection/server-state.js";
export { MCP_ERROR_CODES, McpError } from "./mcp-error.js";
export {
  McpServers,
  type McpServersOptions,
  type RecordedOffer,
  type ServerFacts,
  type ServerOffer,
  type ToolSearchSettings,
} from "./mcp-servers.js";
export type { ResourceText } from "./resource-content.js";
export { serverDetails, serverLog, serverState } from "./server-text.js";
export type { AnnouncedServer } from "./servers-note.js";
export {
  type ConfiguredServer,
  configuredServers,
  type ServerProblem,
  type ServerSource,
  type ServersOfFile,
  serversOfFile,
} from "./settings/configured-servers.js";
export {
  type McpServerSettings,
  serverNameProblem,
  serverProblem,
} from "./settings/server-settings.js";
export type { ResolveTool } from "./tool/call-tool.js";
export type { ExposeSetting, ToolExposure } from "./tool/exposure.js";
export type { ServerTool } from "./tool/listed-tools.js";
