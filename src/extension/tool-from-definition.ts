import { defineJsonTool, type Tool } from "../tool/index.js";
import type { ToolDefinition } from "./extension-api.js";

/** A whole tool as it is, or one made from a JSON Schema and a function. Throws a sentence where the schema is not one. */
export function toolFromDefinition(tool: Tool | ToolDefinition): Tool {
  return "check" in tool ? tool : defineJsonTool(tool);
}
