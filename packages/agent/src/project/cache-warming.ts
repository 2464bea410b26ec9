/** When the prompt cache of the last request is kept warm: never, while a run waits for tools, or also after it. */
export type CacheWarming = "off" | "streaming" | "idle";

export const CACHE_WARMING = ["off", "streaming", "idle"] as const satisfies readonly CacheWarming[];
