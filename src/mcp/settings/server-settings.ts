/** How an MCP server is started or reached, as it is written in settings and in `.mcp.json`. */
import { z } from "zod";

const texts = z.record(z.string(), z.string());
const milliseconds = z
  .int()
  .positive()
  .max(2 ** 31 - 1);

/** A command or a URL; with neither, it changes the server of the same name in an earlier file. */
export const serverSettingsSchema = z.strictObject({
  type: z
    .enum(["stdio", "http", "streamable-http"])
    .optional()
    .describe("How to talk to it; follows from command or url."),
  command: z.string().min(1).optional().describe("Program to start; it talks over its standard input and output."),
  args: z.array(z.string()).optional().describe("Its arguments."),
  env: texts.optional().describe(`Variables for the program; \${NAME} is replaced by yours.`),
  cwd: z.string().min(1).optional().describe("Folder to start it in; the working directory by default."),
  url: z.string().min(1).optional().describe("Address of a server that is reached over HTTP."),
  headers: texts.optional().describe(`Headers for the server; \${NAME} is replaced by yours.`),
  oauth: z
    .strictObject({
      clientId: z.string().min(1).optional().describe("Client ID, if the server does not register clients itself."),
      clientSecret: z.string().min(1).optional().describe(`Client secret; better as \${NAME}.`),
      scope: z.string().min(1).optional().describe("Scopes to ask for, separated by spaces."),
      callbackPort: z.int().min(1).max(65_535).optional().describe("Port for the redirect; any free one by default."),
    })
    .optional()
    .describe("How to log in; most servers need nothing here."),
  timeoutMs: milliseconds.optional().describe("How long a call may show no sign of life; 10 minutes by default."),
  startTimeoutMs: milliseconds.optional().describe("How long the server may take to connect; 30 seconds by default."),
  disabled: z.boolean().optional().describe("Do not use this server."),
});

export const serversSettingsSchema = z.record(z.string(), serverSettingsSchema);

/** A server as settings describe it. docs/mcp.md has examples. */
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
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9-])?$/;

/** What is wrong with the name of a server; undefined for a good one. Names become parts of the names of its tools. */
export function serverNameProblem(name: string): string | undefined {
  if (NAME.test(name) && !name.includes("__")) return undefined;
  return "A server name takes up to 32 letters, digits, - and single _, and starts with a letter or digit";
}

/** What keeps these settings from describing a server; undefined if they do. */
export function serverProblem({ type, command, url }: McpServerSettings): string | undefined {
  if (command !== undefined && url !== undefined) return "It has both a command and a url; use one of them";
  if (command === undefined && url === undefined) return "It has neither a command nor a url";
  if (type === "stdio" && command === undefined) return "The type stdio needs a command";
  if (type !== undefined && type !== "stdio" && url === undefined) return `The type ${type} needs a url`;
  return undefined;
}
