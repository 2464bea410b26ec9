/** Makes a tool from a JSON Schema and a function: the easy way for extensions. */

import { z } from "zod";
import { failureResult } from "./define-tool.js";
import { explainInput } from "./explain-input.js";
import { soundResult } from "./sound-result.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";
import { failureSentence, ToolFailure } from "./tool-failure.js";

export interface JsonToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** False by default: a tool that does not declare itself read-only may change things, so the user is asked. */
  readonly readOnly?: boolean;
  readonly permission?: Tool["permission"];
  readonly timeLimit?: Tool["timeLimit"];
  /** A string is a result with one text block. */
  readonly execute: (input: unknown, context: ToolContext) => ToolResult | string | Promise<ToolResult | string>;
  readonly onSession?: Tool["onSession"];
}

/** Throws a `ToolFailure` if the schema is invalid. If `execute` throws, the result is an error with the reason. */
export function defineJsonTool(spec: JsonToolSpec): Tool {
  const { name, description, parameters, readOnly = false, permission, timeLimit, execute, onSession } = spec;
  const schema = schemaOf(spec);
  const fields = Object.keys((parameters.properties as object | undefined) ?? {});
  return {
    name,
    description,
    parameters,
    readOnly,
    permission,
    timeLimit,
    check: (input) => {
      const parsed = schema.safeParse(input);
      if (parsed.success) return { ok: true, value: parsed.data };
      return explainInput({ tool: name, input, issues: parsed.error.issues, fields });
    },
    execute: async (input, context) => {
      try {
        return soundResult(name, await execute(input, context));
      } catch (error) {
        return failureResult(failureSentence(error));
      }
    },
    onSession,
  };
}

function schemaOf({ name, parameters }: JsonToolSpec): z.ZodType {
  try {
    return z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw new ToolFailure(`The parameters of the tool ${name} are not a usable JSON Schema: ${failureSentence(error)}`);
  }
}
