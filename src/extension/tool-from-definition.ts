import { z } from "zod";
import type { Tool } from "../tool/index.js";
import type { ToolDefinition } from "./extension-api.js";

/** A tool from a JSON Schema and a function. Throws a sentence where the schema is not one. */
export function toolFromDefinition(definition: Tool | ToolDefinition): Tool {
  if ("check" in definition) return definition;
  const { name, description, parameters, execute, onSession } = definition;
  const schema = z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0]);
  return {
    name,
    description,
    parameters,
    readOnly: definition.readOnly ?? false,
    check(input) {
      const checked = schema.safeParse(input);
      if (checked.success) return { ok: true, value: checked.data };
      const reason = checked.error.issues
        .map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`)
        .join("; ");
      return { ok: false, reason };
    },
    execute,
    ...(onSession === undefined ? {} : { onSession }),
  };
}
