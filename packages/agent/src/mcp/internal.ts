/** What other rooms use of MCP servers when they need it, and the agent does not: logins, and one connection to look at. */
export { ServerConnection } from "./connection/server-connection.js";
export { login, logout } from "./oauth/login.js";
export { serversSettingsSchema } from "./settings/server-settings-schema.js";
