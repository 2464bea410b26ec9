/** The words on disk: entry and message types, ids, decoding, versions. Pure. */
export * from "./entry.js";
export * from "./kind.js";
export * from "./message.js";
export * from "./problem.js";
export * from "./session-error.js";
