/** Runs extensions that were written for pi. The door of `bough/pi`. */
export type { ExtensionFactory } from "../extension/index.js";
export type { ExtensionAdapter, SharedModules } from "../extension/run.js";
export { piAdapter } from "./pi-adapter.js";
