/** The schema for settings of MCP servers. Separate, so that published declarations import no package. */
import { z } from "zod";
import { EXPOSURES } from "../tool/exposure.js";

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
    .describe("Transport; derived from command or url by default."),
  command: z.string().min(1).optional().describe("Program to start; it communicates over standard input and output."),
  args: z.array(z.string()).optional().describe("Its arguments."),
  env: texts.optional().describe(`Environment variables for the program; \${NAME} expands to yours.`),
  cwd: z.string().min(1).optional().describe("Folder to start it in; the working directory by default."),
  url: z.string().min(1).optional().describe("URL of an HTTP server."),
  headers: texts.optional().describe(`Headers for the server; \${NAME} expands to your variable.`),
  oauth: z
    .strictObject({
      clientId: z.string().min(1).optional().describe("Client ID, if the server does not register clients itself."),
      clientSecret: z.string().min(1).optional().describe(`Client secret; better as \${NAME}.`),
      scope: z.string().min(1).optional().describe("Scopes to ask for, separated by spaces."),
      callbackPort: z.int().min(1).max(65_535).optional().describe("Port for the redirect; any free one by default."),
    })
    .optional()
    .describe("How to log in; most servers need nothing here."),
  timeoutMs: milliseconds.optional().describe("Time limit for a call without progress; 10 minutes by default."),
  startTimeoutMs: milliseconds.optional().describe("Time limit for connecting; 30 seconds by default."),
  expose: z
    .union([z.enum(EXPOSURES), z.record(z.string(), z.enum(EXPOSURES))], {
      error: 'Expected "all", "search" or "none", or an object with one of them for each tool',
    })
    .optional()
    .describe(
      "Which tools are in every request (all), found with tool_search (search) or not offered (none): a word for all tools, or an object by tool name, where * matches any characters. By default toolSearch decides.",
    ),
  description: z
    .string()
    .max(500)
    .optional()
    .describe("What the server is for, in a sentence: the model is told, and tool_search finds its tools by it."),
  disabled: z.boolean().optional().describe("Do not use this server."),
});

export const serversSettingsSchema = z.record(z.string(), serverSettingsSchema);
