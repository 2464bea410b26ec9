import type { ExtensionUi } from "@bough/agent/extension/index.js";

/** What a login asks and tells with. */
export type LoginUi = Pick<ExtensionUi, "input" | "select" | "notify" | "setWidget">;
