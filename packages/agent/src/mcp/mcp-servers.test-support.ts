/** Servers for tests: real processes, and calls of their tools as an agent would make them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
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

const MANY = fileURLToPath(new URL("../../../../test/support/many-tools-server.mjs", import.meta.url));

/** A real server with this many tools, or with the 120 of a workspace. */
export function manyTools(count: number | "workspace"): McpServerSettings {
  return { command: process.execPath, args: [MANY, String(count)] };
}

/** The same over HTTP, until the test ends. */
export async function manyToolsOverHttp(count: number): Promise<McpServerSettings> {
  const child = spawn(process.execPath, [MANY, String(count), "http"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}/mcp` };
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
  readonly permit?: ToolContext["permit"];
}

/** Calls a tool of a server like the agent. */
export async function call(
  servers: McpServers,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<ToolResult> {
  const listed = servers.tools().find((tool) => tool.name === name);
  if (listed === undefined) throw new Error(`${name} is not offered`);
  return servers.tool(listed).execute(input, contextOf(options));
}

/** Calls `tool_search` or `mcp_resource` like the agent. */
export async function runOwn(
  servers: McpServers,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<ToolResult> {
  const own = servers.ownTools({ search: true, resources: true }).find((tool) => tool.name === name);
  if (own === undefined) throw new Error(`Unknown tool: ${name}`);
  return own.execute(input, contextOf(options));
}

function contextOf({
  signal = new AbortController().signal,
  outputDir = tempFolder(),
  updates = [],
  permit,
}: CallOptions): ToolContext {
  return {
    cwd: outputDir,
    callId: "call-1",
    signal,
    outputDir,
    onUpdate: (update) => updates.push(update),
    permit: permit ?? (async () => ({ allowed: true })),
  };
}

/** The text of a result. */
export function said(result: ToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
}
