/** Prepares the tools of a server for the model: sanitized, limited, in a stable order. */
import { isRecord, withoutControls } from "@bough/session/text/index.js";
import { serverToolName } from "../../tool/internal.js";

/** A tool as offered to the model and recorded in the session. */
export interface ServerTool {
  /** The name for the model, such as `server__tool`. */
  readonly name: string;
  readonly server: string;
  /** Its name on the server. */
  readonly tool: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The server runs it only as a task: started, asked about, and its result fetched. */
  readonly task?: true;
}

/** Of one server. */
const MOST_TOOLS = 2_000;
const MOST_CHARACTERS = 4_000_000;
const LONGEST_DESCRIPTION = 4_000;
const LONGEST_SCHEMA = 32_000;
const DEEPEST_SCHEMA = 40;

interface ListedTools {
  readonly tools: readonly ServerTool[];
  /** Sentences on tools that are not offered. */
  readonly problems: readonly string[];
}

/** `listed` is the server's response, which is fully validated. The result is sorted by name. */
export function listedTools(
  server: string,
  listed: readonly unknown[],
  { runsTasks = true }: { readonly runsTasks?: boolean } = {},
): ListedTools {
  const problems: string[] = [];
  const byName = new Map<string, ServerTool>();
  for (const item of listed) {
    if (!isRecord(item) || typeof item.name !== "string" || item.name === "") continue;
    const tool = item.name;
    const shown = withoutControls(tool).slice(0, 80);
    const name = serverToolName(server, tool);
    const known = byName.get(name);
    if (known !== undefined) {
      problems.push(`The tool ${shown} is not offered: ${known.tool} has the same name for the model, ${name}`);
      continue;
    }
    const parameters = cleanSchema(item.inputSchema);
    if (parameters === undefined) {
      problems.push(`The tool ${shown} is not offered: its input schema is too large or not an object`);
      continue;
    }
    const isTask = isRecord(item.execution) && item.execution.taskSupport === "required";
    if (isTask && !runsTasks) {
      problems.push(`The tool ${shown} is not offered: it runs only as a task, and the server does not offer tasks`);
      continue;
    }
    const description = cleanDescription(item.description, shown);
    byName.set(name, { name, server, tool, description, parameters, ...(isTask ? { task: true } : {}) });
  }
  const all = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const tools = withinLimits(all);
  if (tools.length < all.length) problems.push(`Only ${tools.length} of its ${all.length} tools are offered`);
  return { tools, problems: shortened(problems) };
}

function withinLimits(tools: readonly ServerTool[]): readonly ServerTool[] {
  let characters = 0;
  const end = tools.findIndex((tool, at) => {
    characters += tool.description.length + JSON.stringify(tool.parameters).length;
    return at >= MOST_TOOLS || characters > MOST_CHARACTERS;
  });
  return end === -1 ? tools : tools.slice(0, end);
}

const MOST_PROBLEMS = 20;

function shortened(problems: readonly string[]): readonly string[] {
  const more = problems.length - MOST_PROBLEMS;
  return more <= 0 ? problems : [...problems.slice(0, MOST_PROBLEMS), `${more} more tools have such problems`];
}

function cleanDescription(description: unknown, tool: string): string {
  const text = typeof description === "string" ? withoutControls(description).trim() : "";
  if (text === "") return tool;
  return text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION)}… (shortened)`;
}

function cleanSchema(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (schema !== undefined && !isRecord(schema)) return undefined;
  const clean = cleanValue(schema ?? {}, DEEPEST_SCHEMA);
  if (!isRecord(clean)) return undefined;
  const whole = { ...clean, type: "object", properties: isRecord(clean.properties) ? clean.properties : {} };
  return JSON.stringify(whole).length <= LONGEST_SCHEMA ? whole : undefined;
}

/** Undefined if it is too deep. Field names stay unchanged, because the server expects them. */
function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return withoutControls(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => cleanValue(item, depth - 1));
    return items.includes(undefined) ? undefined : items;
  }
  const fields: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (key === "__proto__" || item === undefined) continue;
    const clean = cleanValue(item, depth - 1);
    if (clean === undefined) return undefined;
    fields.push([key, clean]);
  }
  return Object.fromEntries(fields);
}
