import type { ModelInputMessage, ToolResultInput } from "../../context/index.js";
import type { ToolCallBlock } from "../../entry/index.js";
import { type ModelRequest, OUTPUT_TOOL, type ToolSpec } from "../language-model.js";
import { composeReply, EXPLANATION } from "./compose-reply.js";
import { extractSummary } from "./extract-summary.js";
import { fillForm } from "./fill-form.js";
import { type PlannedCall, planRequest } from "./plan-request.js";
import { summaryRequest } from "./summary-request.js";

interface OfflineAnswer {
  readonly text: string;
  readonly calls: readonly ToolCallBlock[];
}

/**
 * The next thing to say or do.
 *
 * The plan follows from the last request alone, and how far it has come from the calls made since. Calls that only
 * look go out together; one that changes something goes alone, so that what follows sees what it did.
 */
export function answerRequest(request: ModelRequest, input: readonly ModelInputMessage[]): OfflineAnswer {
  const summary = summaryRequest(request, input);
  if (summary !== undefined) return { text: extractSummary(summary), calls: [] };

  const asked = input.findLastIndex((message) => message.role === "user");
  const plan = asked < 0 ? [] : planRequest(textOf(input[asked] as ModelInputMessage));
  const specs = new Map(request.tools.map((tool) => [tool.name, tool]));
  const possible = plan.filter((call) => specs.has(call.tool));
  const impossible = plan.filter((call) => !specs.has(call.tool));
  const since = input.slice(asked + 1);
  const made = since.flatMap(callsOf);

  const group = nextGroup(possible.slice(made.length));
  if (group.length > 0) {
    const before = input.flatMap(callsOf).length;
    const calls = group.map((call, at): ToolCallBlock => {
      const spec = specs.get(call.tool);
      const values = spec === undefined ? {} : toolArguments(call, spec);
      return { type: "toolCall", id: `offline_${before + at + 1}`, name: call.tool, arguments: values };
    });
    return { text: "", calls };
  }
  const results = since.filter((message): message is ToolResultInput => message.role === "toolResult");
  const outcomes = made.flatMap((call) => {
    const result = results.find((candidate) => candidate.toolCallId === call.id);
    return result === undefined ? [] : [{ call, result }];
  });
  const nothing = outcomes.length === 0 && impossible.length === 0;
  const text = nothing ? EXPLANATION : composeReply(outcomes, impossible);
  const form = specs.get(OUTPUT_TOOL);
  if (form === undefined) return { text, calls: [] };
  const id = `offline_${input.flatMap(callsOf).length + 1}`;
  const values = fillForm(form.parameters, text) as ToolCallBlock["arguments"];
  return { text: "", calls: [{ type: "toolCall", id, name: OUTPUT_TOOL, arguments: values }] };
}

const CHANGES = new Set(["bash", "write", "edit"]);

function nextGroup(calls: readonly PlannedCall[]): readonly PlannedCall[] {
  const changing = calls.findIndex((call) => CHANGES.has(call.tool));
  if (changing === 0) return calls.slice(0, 1);
  return changing < 0 ? calls : calls.slice(0, changing);
}

function callsOf(message: ModelInputMessage): ToolCallBlock[] {
  return message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];
}

function textOf(message: ModelInputMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** Names other tool sets use for the same argument. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  path: ["path", "file_path", "filePath", "file", "directory", "dir"],
  command: ["command", "cmd", "script"],
  content: ["content", "text", "contents"],
  pattern: ["pattern", "query", "regex", "glob"],
  oldText: ["oldText", "old_text", "old_string", "oldString", "old"],
  newText: ["newText", "new_text", "new_string", "newString", "new"],
};

/** The planned arguments under the names the tool's schema has. What the schema does not know is omitted. */
function toolArguments(call: PlannedCall, spec: ToolSpec): Record<string, unknown> {
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
