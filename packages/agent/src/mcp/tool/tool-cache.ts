/** Caches tool lists of servers, so that a session can offer their tools before they are connected. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { makeFolder, readTextFile, writeWhole } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import type { ConfiguredServer } from "../settings/configured-servers.js";
import { listedTools, type ServerTool } from "./listed-tools.js";

/** Keyed by what is started or reached: a server configured differently must list its tools again. */
function cacheFile(home: string, { name, settings }: ConfiguredServer): string {
  const { command, args, env, cwd, url } = settings;
  const key = JSON.stringify([name, command, args, Object.keys(env ?? {}), cwd, url]);
  return join(home, "cache", "mcp", `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
}

/** Undefined if nothing is cached. */
export function rememberedTools(home: string, server: ConfiguredServer): readonly ServerTool[] | undefined {
  const read = readTextFile(cacheFile(home, server));
  const value = read.kind === "text" ? parsedJson(read.text) : undefined;
  return isRecord(value) && Array.isArray(value.tools) ? validTools(value.tools, [server.name]) : undefined;
}

/** Write errors are ignored. */
export function rememberTools(home: string, server: ConfiguredServer, tools: readonly ServerTool[]): void {
  const file = cacheFile(home, server);
  const text = `${JSON.stringify({ tools })}\n`;
  try {
    const before = readTextFile(file);
    if (before.kind === "text" && before.text === text) return;
    makeFolder(join(home, "cache", "mcp"));
    writeWhole(file, text, { existing: "replace", durable: false });
  } catch {
    // Only a cache: the next session asks the server.
  }
}

/** Validates stored tools of these servers as if the server had just sent them. */
export function validTools(kept: readonly unknown[], servers: readonly string[]): readonly ServerTool[] {
  return kept.flatMap((item) => {
    if (!isRecord(item) || typeof item.server !== "string" || !servers.includes(item.server)) return [];
    return listedTools(item.server, [{ name: item.tool, description: item.description, inputSchema: item.parameters }])
      .tools;
  });
}
