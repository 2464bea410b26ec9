/** Converts the MCP servers that a client passes with a session to our settings. */
import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import { type ConfiguredServer, configuredServers, type McpServerSettings } from "@bough/agent/mcp/index.js";

export interface ClientServers {
  readonly servers: readonly ConfiguredServer[];
  /** Messages about servers that cannot be used. */
  readonly problems: readonly string[];
}

export function clientServers(given: readonly McpServer[]): ClientServers {
  const problems: string[] = [];
  const settings: Record<string, McpServerSettings> = Object.create(null);
  for (const server of given) {
    const one = settingsOf(server);
    if (one === undefined)
      problems.push(`MCP server ${server.name} is not connected: only stdio and HTTP are supported`);
    else settings[server.name] = one;
  }
  const read = configuredServers([{ source: { kind: "program" }, servers: settings }]);
  return { servers: read.servers, problems: [...problems, ...read.problems.map(({ message }) => message)] };
}

function settingsOf(server: McpServer): McpServerSettings | undefined {
  if (!("type" in server)) return { command: server.command, args: [...server.args], env: pairs(server.env) };
  return server.type === "http" ? { type: "http", url: server.url, headers: pairs(server.headers) } : undefined;
}

function pairs(list: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
