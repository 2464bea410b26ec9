/** Sessions in a browser, live: the server of `bough serve`. Read-only. */
export type { ServeServices } from "./api/api.js";
export { SERVE_ERROR_CODES, ServeError, type ServeErrorCode } from "./serve-error.js";
export { type RunningServer, type ServeOptions, startServer } from "./server.js";
