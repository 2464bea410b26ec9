import type { ModelInputMessage, ToolResultInput } from "@bough/session/context/index.js";
import type { ToolCallBlock } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { type ModelRequest, type OfferedTool, OUTPUT_TOOL } from "../language-model.js";
import { extractSummary } from "./extract-summary.js";
import { type PlannedCall, planRequest } from "./plan-request.js";
import { summaryRequest, textOf } from "./summary-request.js";

interface OfflineAnswer {
  readonly text: string;
  readonly calls: readonly ToolCallBlock[];
}

/**
 * Computes the next answer: text, tool calls or both.
 *
 * The plan depends only on the last request, and its progress on the calls made since. Read-only calls are made
 * together; a call that changes something is made alone, so that later calls see its effect.
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

/** Names that other tool sets use for the same argument. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  path: ["path", "file_path", "filePath", "file", "directory", "dir"],
  command: ["command", "cmd", "script"],
  content: ["content", "text", "contents"],
  pattern: ["pattern", "query", "regex", "glob"],
  oldText: ["oldText", "old_text", "old_string", "oldString", "old"],
  newText: ["newText", "new_text", "new_string", "newString", "new"],
};

/** Renames the planned arguments to match the tool's schema, and drops those it does not have. */
function toolArguments(call: PlannedCall, spec: OfferedTool): Record<string, unknown> {
  const properties = propertiesOf(spec.parameters);
  const { oldText, newText, ...rest } = call.arguments;
  const found = named(call.tool === "edit" ? rest : call.arguments, properties);
  // Users mean the literal word, not a pattern.
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

/** A value that satisfies most JSON Schemas; the later validation reports the rest. */
function fillForm(schema: unknown, text: string): unknown {
  let left: string | undefined = text;
  const fill = (part: unknown): unknown => {
    if (!isRecord(part)) return null;
    const { type, properties, required, items, minItems, minimum, anyOf, oneOf } = part;
    if ("const" in part) return part.const;
    if (Array.isArray(part.enum)) return part.enum[0];
    const [choice] = [anyOf, oneOf].filter(Array.isArray).flat();
    if (choice !== undefined) return fill(choice);
    switch (Array.isArray(type) ? type[0] : type) {
      case "object": {
        const wanted = Array.isArray(required) ? required : [];
        const fields = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => wanted.includes(name));
        return Object.fromEntries(fields.map(([name, field]) => [name, fill(field)]));
      }
      case "array":
        return Array.from({ length: typeof minItems === "number" ? minItems : 0 }, () => fill(items));
      case "string": {
        const said = left ?? "";
        left = undefined;
        return said;
      }
      case "number":
      case "integer":
        return typeof minimum === "number" ? Math.max(0, minimum) : 0;
      case "boolean":
        return false;
      default:
        return null;
    }
  };
  return fill(schema);
}

const LINES = 20;
const CHARACTERS = 1500;

const SIGNED = "(offline/rules: found by rules, not by a language model.)";

const EXPLANATION = [
  "I am offline/rules: a set of rules built into Bough, not a language model. No rule fits this request.",
  "",
  "What I can do:",
  "- list a folder: what is in this folder?",
  "- read a file: read README.md",
  "- search: search for TODO in src, or find *.ts",
  "- run a command: run npm test, or a line that starts with $",
  '- write and change: write "hello" to notes.txt, or replace "hello" with "goodbye" in notes.txt',
  "- several at once: list the files and read package.json",
  "",
  "For a real model set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start a local server such as Ollama, then choose it with --model or /model.",
].join("\n");

/** Quotes the shortened results of the tools. */
function composeReply(
  outcomes: readonly { readonly call: ToolCallBlock; readonly result: ToolResultInput }[],
  left: readonly PlannedCall[],
): string {
  const parts = outcomes.map(({ call, result }) => {
    const said = `\`${called(call.name, call.arguments)}\``;
    const text = result.content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");
    if (result.isError) return `${said} failed:\n${shortened(text)}`;
    return text.trim() === "" ? `${said} gave no output.` : `${said}:\n${shortened(text)}`;
  });
  for (const call of left) {
    parts.push(`\`${called(call.tool, call.arguments)}\` was not run: the tool ${call.tool} is not available here.`);
  }
  return [...parts, SIGNED].join("\n\n");
}

function called(name: string, values: Readonly<Record<string, unknown>>): string {
  const main = [values.command, values.pattern, values.path].filter((value) => typeof value === "string");
  return [name, ...main].join(" ").split("\n", 1)[0]?.slice(0, 120) ?? name;
}

function shortened(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown: string[] = [];
  let room = CHARACTERS;
  for (const line of lines.slice(0, LINES)) {
    if (line.length > room) break;
    shown.push(line);
    room -= line.length + 1;
  }
  if (shown.length === 0) return `${(lines[0] ?? "").slice(0, CHARACTERS)}…`;
  const more = lines.length - shown.length;
  return more === 0 ? shown.join("\n") : `${shown.join("\n")}\n… ${more} more ${more === 1 ? "line" : "lines"}`;
}
