/** MCP servers: their settings, connections, tools, resources and prompts. */
export {
  type ConfiguredServer,
  configuredServers,
  type ServerProblem,
  type ServerSource,
  type ServersOfFile,
  serversOfFile,
} from "./settings/configured-servers.js";
export { expandServer } from "./settings/expand-variables.js";
export {
  type McpServerSettings,
  serverNameProblem,
  serverProblem,
  serversSettingsSchema,
} from "./settings/server-settings.js";
