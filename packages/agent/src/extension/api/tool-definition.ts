/** The tools of extensions: a JSON Schema and a function, in the order of arguments that pi has. */
import { defined } from "@bough/session/text/index.js";
import { defineJsonTool, type Tool, type ToolContext, type ToolResult, type ToolUpdate } from "../../tool/index.js";
import { contextForHandler } from "../context-view.js";
import type { ToolRenderers } from "../ui-renderers.js";
import type { ExtensionContext } from "./extension-context.js";

/** What a tool is given next to the context of its extension. */
export type ToolExecutionContext = ExtensionContext & Pick<ToolContext, "permit" | "outputDir">;

/** A JSON Schema of an object, as people write it or as TypeBox makes it. */
export type ToolParameters =
  | Readonly<Record<string, unknown>>
  | { readonly type?: unknown; readonly properties?: unknown };

/** A tool as an extension registers it. TypeBox schemas are JSON Schemas. */
export interface ToolDefinition<Params = Readonly<Record<string, unknown>>, Details = unknown> extends ToolRenderers {
  readonly name: string;
  /** For people; the name by default. */
  readonly label?: string;
  readonly description: string;
  /** One line about it in the system prompt. */
  readonly promptSnippet?: string;
  /** Rules for the system prompt while the tool is active. */
  readonly promptGuidelines?: readonly string[];
  readonly parameters: ToolParameters;
  /** True: it changes nothing outside the conversation, and it does not ask before it runs. */
  readonly readOnly?: boolean;
  readonly permission?: Tool["permission"];
  readonly timeLimit?: Tool["timeLimit"];
  /** Repairs what the model sent before it is checked. */
  readonly prepareArguments?: (args: unknown) => unknown;
  /** `sequential`: the calls of an answer that uses it run one after the other. */
  readonly executionMode?: Tool["executionMode"];
  /** Throws if it failed: the model is told why. A returned text is a result of one block. */
  execute(
    toolCallId: string,
    params: Params,
    signal: AbortSignal,
    /** Shows output so far. */
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

/** A whole tool as it is, or one made from a definition. Throws a sentence where the schema is not one. */
export function toolFromDefinition(tool: Tool | ToolDefinition, { extension, context }: ToolOwner): Tool {
  if (isWholeTool(tool)) return tool;
  const { name, label, description, promptSnippet, promptGuidelines, executionMode, prepareArguments } = tool;
  const { readOnly, permission, timeLimit, onSession } = tool;
  const made = defineJsonTool({
    name,
    description,
    // Schemas of libraries carry more than JSON, under symbols.
    parameters: JSON.parse(JSON.stringify(tool.parameters)) as Record<string, unknown>,
    ...defined({ readOnly, permission, timeLimit, onSession }),
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
  return { ...made, ...defined({ label, promptSnippet, promptGuidelines, executionMode, prepareArguments }) };
}

/** The clock of the tool is still while the user is asked something. */
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
    onUpdate({ text, ...defined({ details }) });
  };
}
