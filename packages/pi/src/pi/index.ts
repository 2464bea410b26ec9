/** Runs extensions written for pi. The door of `bough/pi`. */
export type { ExtensionFactory } from "@bough/agent/extension/index.js";
export type { ExtensionAdapter, SharedModules } from "@bough/agent/extension/run.js";
export { piAdapter } from "./pi-adapter.js";
