import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export type Api = ExtensionAPI;
