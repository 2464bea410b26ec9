import type { Tool } from "@bough/agent/tool/index.js";
import { CliError } from "../cli-error.js";

/** Built-in tools and those of extensions; an extension's tool replaces a built-in one with the same name. */
export function allTools(builtIn: readonly Tool[], ofExtensions: readonly Tool[]): readonly Tool[] {
  const replaced = new Set(ofExtensions.map(({ name }) => name));
  return [...builtIn.filter(({ name }) => !replaced.has(name)), ...ofExtensions];
}

/** The tools with these names, in the order of the list. Throws `unknown-tool` with the available names. */
export function chooseTools(tools: readonly Tool[], names: readonly string[]): readonly Tool[] {
  const unknown = names.filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0) {
    const known = tools.map(({ name }) => name);
    throw new CliError("unknown-tool", `Unknown tool ${unknown.join(", ")}`, {
      data: { unknown, known },
      hint: `Available: ${known.join(", ")}.`,
    });
  }
  return tools.filter(({ name }) => names.includes(name));
}
