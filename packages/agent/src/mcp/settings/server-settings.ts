/** Settings of an MCP server, in settings files and in `.mcp.json`. */
import type { ExposeSetting } from "../tool/exposure.js";

/** The settings of a server. docs/mcp.md has examples. */
export interface McpServerSettings {
  type?: "stdio" | "http" | "streamable-http" | undefined;
  command?: string | undefined;
  args?: string[] | undefined;
  env?: Record<string, string> | undefined;
  cwd?: string | undefined;
  url?: string | undefined;
  headers?: Record<string, string> | undefined;
  oauth?:
    | {
        clientId?: string | undefined;
        clientSecret?: string | undefined;
        scope?: string | undefined;
        callbackPort?: number | undefined;
      }
    | undefined;
  timeoutMs?: number | undefined;
  startTimeoutMs?: number | undefined;
  disabled?: boolean | undefined;
  expose?: ExposeSetting | undefined;
  description?: string | undefined;
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9-])?$/;

/** Why a server name is invalid; undefined for a valid one. It becomes a part of the names of its tools. */
export function serverNameProblem(name: string): string | undefined {
  if (NAME.test(name) && !name.includes("__")) return undefined;
  return "A server name has up to 32 letters, digits, - and single _, and starts with a letter or digit";
}

/** Why these settings are invalid; undefined if they are valid. */
export function serverProblem({ type, command, url }: McpServerSettings): string | undefined {
  if (command !== undefined && url !== undefined) return "It has both a command and a url; use one of them";
  if (command === undefined && url === undefined) return "It has neither a command nor a url";
  if (type === "stdio" && command === undefined) return "The type stdio needs a command";
  if (type !== undefined && type !== "stdio" && url === undefined) return `The type ${type} needs a url`;
  return undefined;
}
