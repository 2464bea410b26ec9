/** Servers for tests: real processes, and calls of their tools as an agent would make them. */
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import type { ToolContext, ToolResult, ToolUpdate } from "../tool/index.js";
import { McpServers, type McpServersOptions } from "./mcp-servers.js";
import { configuredServers } from "./settings/configured-servers.js";
import type { McpServerSettings } from "./settings/server-settings.js";

const ODD = fileURLToPath(new URL("../../../../test/support/odd-mcp-server.mjs", import.meta.url));

/** A server that misbehaves in one way, and records requests in `file`. */
export function oddServer(way: string, file?: string): McpServerSettings {
  return { command: process.execPath, args: [ODD, way, ...(file === undefined ? [] : [file])] };
}

/** The entry point of a server from the package registry. */
export function packagedServer(name: "everything" | "filesystem", ...args: readonly string[]): McpServerSettings {
  const path = fileURLToPath(
    new URL(`../../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  );
  return { command: process.execPath, args: [path, ...args] };
}

/** The servers are closed when the test ends. */
export function openServers(
  servers: Readonly<Record<string, McpServerSettings>>,
  options: Partial<Omit<McpServersOptions, "servers">> = {},
): { readonly servers: McpServers; readonly notices: string[] } {
  const found = configuredServers([{ source: { kind: "program" }, servers }]);
  const folder = tempFolder();
  const made = new McpServers({
    servers: found.servers,
    cwd: folder,
    home: folder,
    env: process.env,
    waitMs: 30_000,
    ...options,
  });
  const notices: string[] = [];
  made.onNotice((message) => notices.push(message));
  onTestFinished(() => made.close());
  return { servers: made, notices };
}

/** Waits for servers with unknown tools, like the first step of an agent. */
export async function ready(servers: McpServers): Promise<void> {
  await servers.settled({ signal: new AbortController().signal });
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly outputDir?: string;
  readonly updates?: ToolUpdate[];
}

/** Calls an offered tool like the agent. */
export async function call(
  servers: McpServers,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<ToolResult> {
  const listed = servers.offered([], []).find((tool) => tool.name === name);
  if (listed === undefined) throw new Error(`${name} is not offered`);
  const { signal = new AbortController().signal, outputDir = tempFolder(), updates = [] } = options;
  const context: ToolContext = {
    cwd: outputDir,
    callId: "call-1",
    signal,
    outputDir,
    onUpdate: (update) => updates.push(update),
    permit: async () => ({ allowed: true }),
  };
  return servers.tool(listed).execute(input, context);
}

/** The text of a result. */
export function said(result: ToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
}
