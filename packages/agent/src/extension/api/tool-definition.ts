/** Tools of extensions: a JSON Schema and a function, with the same argument order as in pi. */
import { defineJsonTool, type Tool, type ToolContext, type ToolResult, type ToolUpdate } from "../../tool/index.js";
import { contextForHandler } from "../context-view.js";
import type { ToolRenderers } from "../ui-renderers.js";
import type { ExtensionContext } from "./extension-context.js";

/** The context of a tool call. */
export type ToolExecutionContext = ExtensionContext & Pick<ToolContext, "permit" | "outputDir">;

/** A JSON Schema of an object, written by hand or made by TypeBox. */
export type ToolParameters =
  | Readonly<Record<string, unknown>>
  | { readonly type?: unknown; readonly properties?: unknown };

/** A tool registered by an extension. */
export interface ToolDefinition<Params = Readonly<Record<string, unknown>>, Details = unknown> extends ToolRenderers {
  readonly name: string;
  /** Display name; the name by default. */
  readonly label?: string;
  readonly description: string;
  /** One line about the tool for the system prompt. */
  readonly promptSnippet?: string;
  /** Rules for the system prompt while the tool is active. */
  readonly promptGuidelines?: readonly string[];
  readonly parameters: ToolParameters;
  /** Whether it changes nothing outside the conversation and may run without permission. */
  readonly readOnly?: boolean;
  readonly permission?: Tool["permission"];
  readonly timeLimit?: Tool["timeLimit"];
  /** Repairs what the model sent before it is validated. */
  readonly prepareArguments?: (args: unknown) => unknown;
  /** `sequential`: all calls of an answer that uses the tool run one after another. */
  readonly executionMode?: Tool["executionMode"];
  /** If it throws, the model is told why. A returned string is a result with one text block. */
  execute(
    toolCallId: string,
    params: Params,
    signal: AbortSignal,
    /** Shows the output so far. */
    onUpdate: (update: Partial<ToolResult>) => void,
    context: ToolExecutionContext,
  ): ToolResult<Details> | string | Promise<ToolResult<Details> | string>;
  readonly onSession?: Tool["onSession"];
}

function isWholeTool(tool: object): tool is Tool {
  return "check" in tool;
}

interface ToolOwner {
  readonly extension: string;
  readonly context: () => ExtensionContext;
}

/** Returns a full tool unchanged, or makes one from a definition. Throws if the schema is invalid. */
export function toolFromDefinition(tool: Tool | ToolDefinition, { extension, context }: ToolOwner): Tool {
  if (isWholeTool(tool)) return tool;
  const { name, label, description, promptSnippet, promptGuidelines, executionMode, prepareArguments } = tool;
  const { readOnly, permission, timeLimit, onSession } = tool;
  const made = defineJsonTool({
    name,
    description,
    // Drops the symbol properties of schemas from libraries.
    parameters: JSON.parse(JSON.stringify(tool.parameters)) as Record<string, unknown>,
    readOnly,
    permission,
    timeLimit,
    onSession,
    execute: (input, given) => {
      const params = input as Readonly<Record<string, unknown>>;
      return tool.execute(
        given.callId,
        params,
        given.signal,
        updater(given.onUpdate),
        toolContext({ extension, context: context() }, given),
      );
    },
  });
  return { ...made, label, promptSnippet, promptGuidelines, executionMode, prepareArguments };
}

/** Pauses the tool's time limit while the user is asked. */
function toolContext(
  { extension, context }: { readonly extension: string; readonly context: ExtensionContext },
  { permit, outputDir, signal, hold = () => () => {} }: ToolContext,
): ToolExecutionContext {
  return Object.defineProperties({} as ToolExecutionContext, {
    ...Object.getOwnPropertyDescriptors(contextForHandler(context, { extension, hold })),
    signal: { value: signal, enumerable: true },
    permit: { value: permit, enumerable: true },
    outputDir: { value: outputDir, enumerable: true },
  });
}

function updater(onUpdate: (update: ToolUpdate) => void): (update: Partial<ToolResult>) => void {
  return ({ content = [], details } = {}) => {
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    onUpdate({ text, details });
  };
}
