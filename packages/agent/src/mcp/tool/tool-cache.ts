/** Caches what servers said about themselves, so that a session can offer their tools before they are connected. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { makeFolder, readTextFile, writeWhole } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { cleanInstructions } from "../connection/listed-items.js";
import type { ConfiguredServer } from "../settings/configured-servers.js";
import { listedTools, type ServerTool } from "./listed-tools.js";

/** What a server said when it was last connected. */
export interface RememberedServer {
  readonly tools: readonly ServerTool[];
  readonly instructions: string;
  readonly hasResources: boolean;
}

/**
 * Keyed by what is started or reached, and by what the client said it can do: a server may offer other tools to a client
 * that can ask the user.
 */
function cacheFile(home: string, { name, settings }: ConfiguredServer, abilities: ClientAbilities): string {
  const { command, args, env, cwd, url } = settings;
  const key = JSON.stringify([name, command, args, Object.keys(env ?? {}), cwd, url, abilities]);
  return join(home, "cache", "mcp", `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
}

/** What the client can do for servers, besides what it always can. */
export interface ClientAbilities {
  /** Questions of servers are shown to the user. */
  readonly asks: boolean;
}

/** Undefined if nothing is cached. */
export function rememberedServer(
  home: string,
  server: ConfiguredServer,
  abilities: ClientAbilities,
): RememberedServer | undefined {
  const read = readTextFile(cacheFile(home, server, abilities));
  const value = read.kind === "text" ? parsedJson(read.text) : undefined;
  if (!isRecord(value) || !Array.isArray(value.tools)) return undefined;
  const { tools, instructions, hasResources } = value;
  return {
    tools: validTools(tools, [server.name]),
    instructions: cleanInstructions(instructions),
    hasResources: hasResources === true,
  };
}

/** Write errors are ignored. */
export function rememberServer(
  home: string,
  server: ConfiguredServer,
  { abilities, ...said }: RememberedServer & { readonly abilities: ClientAbilities },
): void {
  const file = cacheFile(home, server, abilities);
  const text = `${JSON.stringify(said)}\n`;
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
  return servers.flatMap((server) => {
    const own = kept.flatMap((item) => {
      if (!isRecord(item) || item.server !== server) return [];
      const execution = item.task === true ? { taskSupport: "required" } : undefined;
      return [{ name: item.tool, description: item.description, inputSchema: item.parameters, execution }];
    });
    return own.length === 0 ? [] : listedTools(server, own).tools;
  });
}
