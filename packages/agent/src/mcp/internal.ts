/** Exports for Bough's other rooms only. */
export { ServerConnection } from "./connection/server-connection.js";
export { login, logout } from "./oauth/login.js";
export { type LoopbackRedirect, loopbackRedirect } from "./oauth/loopback-redirect.js";
export { serversSettingsSchema } from "./settings/server-settings-schema.js";
