/**
 * `mcp_call`: the one way to call tools that are not in the request. A call that names a known tool becomes a call of that
 * tool before anything else sees it: permissions, rules, the log and screens have its real name. What is left is wrong.
 */
import type { ToolCallBlock } from "@bough/session/entry/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import { failureResult, type Tool } from "../../tool/index.js";
import { InvalidInput } from "../../tool/internal.js";
import type { ServerTool } from "./listed-tools.js";
import { MCP_CALL, TOOL_SEARCH } from "./tool-names.js";

/** The tool, or a sentence for the model on why it cannot be called. */
export type ResolveTool = (server: string, tool: string) => ServerTool | string;

export function mcpCallTool(resolve: ResolveTool): Tool {
  const explain = (input: unknown): string => {
    const read = readCall(input);
    if (typeof read === "string") return read;
    const found = resolve(read.server, read.tool);
    return typeof found === "string" ? found : `${found.tool} of ${found.server} is known now. Call it again.`;
  };
  return {
    name: MCP_CALL,
    description: `Call a tool of an MCP server that ${TOOL_SEARCH} found, or whose input you know.`,
    parameters: {
      type: "object",
      properties: {
        server: { type: "string", description: "Name of the server" },
        tool: { type: "string", description: "Name of the tool on that server" },
        input: { type: "object", description: "Input of the tool, by its schema", additionalProperties: true },
      },
      required: ["server", "tool", "input"],
      additionalProperties: false,
    },
    // Nothing runs under this name.
    readOnly: true,
    check: (input) => new InvalidInput(explain(input)),
    execute: async (input) => failureResult(explain(input)),
  };
}

/** The call of the tool itself, if `call` names one; otherwise the same call. */
export function namedCall(call: ToolCallBlock, resolve: ResolveTool): ToolCallBlock {
  if (call.name !== MCP_CALL) return call;
  const read = readCall(call.arguments);
  const found = typeof read === "string" ? read : resolve(read.server, read.tool);
  if (typeof read === "string" || typeof found === "string") return call;
  const { server, tool, name } = found;
  return { ...call, name, arguments: read.input, mcp: { server, tool } };
}

interface ReadCall {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const FORM = `Expected ${MCP_CALL} { server, tool, input }`;

/** Models leave out an empty input, and some send JSON in a string. */
function readCall(sent: unknown): ReadCall | string {
  const { server, tool, input = {}, ...others } = isRecord(sent) ? sent : {};
  if (typeof server !== "string" || server === "") return `${FORM}: server is missing`;
  if (typeof tool !== "string" || tool === "") return `${FORM}: tool is missing`;
  const [other] = Object.keys(others);
  if (other !== undefined) return `${FORM}: put ${other} into input`;
  const read = typeof input === "string" ? jsonObject(input) : input;
  if (!isRecord(read)) return `${FORM}: input is not an object`;
  return { server, tool, input: read };
}
