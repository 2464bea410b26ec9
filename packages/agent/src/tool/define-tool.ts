/** Makes a tool from a zod schema and a function. Input is validated here and nowhere else. */

import { z } from "zod";
import { explainInput } from "./explain-input.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";
import { failureSentence } from "./tool-failure.js";

/**
 * The result of `z.object({ … })` from any copy of zod 4. Declares only the output type, so that our declarations do
 * not import those of zod, which need TypeScript 5.4.
 */
export interface InputSchema {
  readonly _zod: { readonly output: Readonly<Record<string, unknown>> };
}

export interface ToolSpec<Schema extends InputSchema> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  readonly readOnly: boolean;
  readonly permission?: Tool["permission"];
  readonly timeLimit?: Tool["timeLimit"];
  readonly reportsFiles?: Tool["reportsFiles"];
  /** Whether a call certainly changes no file. */
  readonly changesNothing?: (input: Schema["_zod"]["output"], place: { readonly cwd: string }) => boolean;
  /** Throws a `ToolFailure` if the call fails. */
  readonly run: (input: Schema["_zod"]["output"], context: ToolContext) => Promise<ToolResult>;
  readonly onSession?: Tool["onSession"];
}

/**
 * `execute` validates its input again, so it accepts anything, and it never rejects: every failure becomes an error
 * result.
 */
export function defineTool<Schema extends InputSchema>(spec: ToolSpec<Schema>): Tool {
  const { name, description, readOnly, permission, timeLimit, reportsFiles, changesNothing, run, onSession } = spec;
  const schema = spec.input as unknown as z.ZodObject;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  const fields = Object.keys(schema.shape);

  const parse = (input: unknown) => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return { ok: true, value: parsed.data as Schema["_zod"]["output"] } as const;
    return explainInput({ tool: name, input, issues: parsed.error.issues, fields });
  };

  const execute = async (input: unknown, context: ToolContext): Promise<ToolResult> => {
    if (context.signal.aborted) return failureResult("Stopped before it started.");
    const checked = parse(input);
    if (!checked.ok) return failureResult(checked.reason);
    try {
      return await run(checked.value, context);
    } catch (error) {
      // An aborted read or walk rejects with a platform-specific error: use the same text for all of them.
      return failureResult(context.signal.aborted ? "Stopped before it finished." : failureSentence(error));
    }
  };

  return {
    name,
    description,
    parameters,
    readOnly,
    permission,
    timeLimit,
    reportsFiles,
    changesNothing:
      changesNothing &&
      ((input, place) => {
        const checked = parse(input);
        return checked.ok && changesNothing(checked.value, place);
      }),
    check: parse,
    execute,
    onSession,
  };
}

/** An error result for the model. */
export function failureResult(text: string, details?: unknown): ToolResult {
  return { content: [{ type: "text", text }], isError: true, details };
}

/** A result with one text for the model, and details for front ends. */
export function textResult<Details>(text: string, details: Details): ToolResult<Details> {
  return { content: [{ type: "text", text }], details };
}
