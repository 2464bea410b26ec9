/** Explains what is wrong with a tool's input, in one sentence that a model can act on. */

import type { z } from "zod";

type Issue = z.core.$ZodIssue;

interface InputProblem {
  readonly tool: string;
  readonly input: unknown;
  readonly issues: readonly Issue[];
  /** The tool's field names. */
  readonly fields: readonly string[];
}

/** The answer of a tool's `check` whose reason names the tool, so that nothing has to be put before it. */
export class InvalidInput {
  readonly ok = false;
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export function explainInput({ tool, input, issues, fields }: InputProblem): InvalidInput {
  const parts = issues.map((issue) => explainIssue(issue, input));
  const needsFields = issues.some((issue) => issue.code === "unrecognized_keys" || issue.path.length === 0);
  const known = needsFields && fields.length > 0 ? `. The fields are: ${fields.join(", ")}` : "";
  return new InvalidInput(`Invalid input for ${tool}: ${parts.join("; ")}${known}`);
}

function explainIssue(issue: Issue, input: unknown): string {
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown field ${names}${issue.path.length === 0 ? "" : ` in ${fieldName(issue.path)}`}`;
  }
  if (issue.path.length === 0) return lowerFirst(issue.message);
  if (issue.code === "invalid_type" && valueAt(input, issue.path) === undefined) {
    return `${fieldName(issue.path)} is missing`;
  }
  return `${fieldName(issue.path)}: ${lowerFirst(issue.message)}`;
}

/** Such as `edits[0].oldText`. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = "";
  for (const key of path) {
    if (typeof key === "number") name += `[${key}]`;
    else name += name === "" ? String(key) : `.${String(key)}`;
  }
  return name;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
