/** Checks the arguments of a tool call against the tool's schema. */
import { Value } from "typebox/value";

interface CheckedTool {
  readonly name: string;
  readonly parameters: unknown;
}

interface CheckedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Returns the arguments, with values converted to the schema's types if that loses nothing. Throws if they do not
 * match.
 */
export function validateToolArguments(tool: CheckedTool, call: CheckedCall): unknown {
  const schema = tool.parameters as Parameters<typeof Value.Check>[0];
  const value: unknown = Value.Convert(schema, structuredClone(call.arguments));
  if (Value.Check(schema, value)) return value;
  const problems = [...Value.Errors(schema, value)].map((problem) => {
    const { instancePath, message } = problem as { readonly instancePath?: string; readonly message?: string };
    return `${instancePath || "input"}: ${message ?? "is not valid"}`;
  });
  throw new Error(`Invalid arguments for the tool ${tool.name}: ${problems.join("; ")}`);
}

export function validateToolCall(tools: readonly CheckedTool[], call: CheckedCall): unknown {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) throw new Error(`Unknown tool: ${call.name}`);
  return validateToolArguments(tool, call);
}
