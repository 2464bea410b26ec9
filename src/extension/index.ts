/** Extension API types, loader, runner. */
export * from "./extension-api.js";
export * from "./extension-events.js";
export * from "./extension-hooks.js";
