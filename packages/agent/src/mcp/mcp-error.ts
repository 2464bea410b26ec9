/** Errors of MCP servers: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `McpError`, and what each means. */
export const MCP_ERROR_CODES = {
  "unknown-server": "no MCP server with this name is configured",
  "server-disabled": "the MCP server is disabled",
  "server-failed": "the MCP server failed to start, was unreachable, or exited",
  "login-needed": "the MCP server requires a login",
  "login-failed": "logging in to the MCP server failed",
  "call-failed": "the MCP server answered with an error",
} as const;
type McpErrorCode = keyof typeof MCP_ERROR_CODES;

/** An MCP server cannot be used: a stable code, data, and a hint. */
export class McpError extends CodedError<McpErrorCode> {
  override readonly name = "McpError";
}
