import type { ToolSpec } from "../language-model.js";
import type { PlannedCall } from "./plan-request.js";

/** Names other tool sets use for the same argument. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  path: ["path", "file_path", "filePath", "file", "directory", "dir"],
  command: ["command", "cmd", "script"],
  content: ["content", "text", "contents"],
  pattern: ["pattern", "query", "regex", "glob"],
  oldText: ["oldText", "old_text", "old_string", "oldString", "old"],
  newText: ["newText", "new_text", "new_string", "newString", "new"],
};

/** The planned arguments under the names the tool's schema has. What the schema does not know is left out. */
export function toolArguments(call: PlannedCall, spec: ToolSpec): Record<string, unknown> {
  const properties = propertiesOf(spec.parameters);
  const { oldText, newText, ...rest } = call.arguments;
  const found = named(call.tool === "edit" ? rest : call.arguments, properties);
  // People mean the word they wrote, not a pattern.
  if (call.tool === "grep" && properties !== undefined && "literal" in properties) return { ...found, literal: true };
  if (call.tool !== "edit") return found;
  const change = { oldText: oldText ?? "", newText: newText ?? "" };
  const edits = properties?.edits as { readonly items?: Record<string, unknown> } | undefined;
  if (edits === undefined) return { ...found, ...named(change, properties) };
  return { ...found, edits: [named(change, propertiesOf(edits.items ?? {}))] };
}

function named(values: Readonly<Record<string, string>>, properties: Record<string, unknown> | undefined) {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const known = (ALIASES[name] ?? [name]).find((alias) => properties === undefined || alias in properties);
    if (known !== undefined) found[known] = value;
  }
  return found;
}

function propertiesOf(schema: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const { properties } = schema;
  return typeof properties === "object" && properties !== null ? (properties as Record<string, unknown>) : undefined;
}
