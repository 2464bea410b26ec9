import type { ExtensionUi } from "@bough/agent/extension/index.js";

/** How a login asks questions and shows progress. */
export type LoginUi = Pick<ExtensionUi, "input" | "select" | "confirm" | "notify" | "setWidget">;
