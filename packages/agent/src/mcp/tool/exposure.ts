/** Which tools of servers every request has, which ones the model searches for, and which ones it never gets. */
import { estimateTextTokens } from "../../model/internal.js";
import { matchesStar } from "../../tool/internal.js";
import type { ServerTool } from "./listed-tools.js";

/** `all`: in every request. `search`: found with `tool_search`. `none`: not offered. */
export type ToolExposure = "all" | "search" | "none";
export const EXPOSURES = ["all", "search", "none"] as const satisfies readonly ToolExposure[];

/** For all tools of a server, or by the tool's name, where `*` matches any characters. */
export type ExposeSetting = ToolExposure | Record<string, ToolExposure>;

/** An exact name wins over a pattern, and a longer pattern over a shorter one. Undefined: the budget decides. */
export function exposureOf(setting: ExposeSetting | undefined, tool: string): ToolExposure | undefined {
  if (setting === undefined || typeof setting === "string") return setting;
  if (Object.hasOwn(setting, tool)) return setting[tool];
  let found: string | undefined;
  for (const pattern of Object.keys(setting)) {
    if (matchesStar(pattern, tool) && (found === undefined || pattern.length > found.length)) found = pattern;
  }
  return found === undefined ? undefined : setting[found];
}

/** How much of every request tools without an own `expose` may take. */
export interface ToolBudget {
  /** Tools of all servers together. */
  readonly maxTools: number;
  /** `Infinity` if the model's window is unknown. */
  readonly maxTokens: number;
}

export const DEFAULT_MAX_TOOLS = 40;
export const DEFAULT_MAX_PERCENT = 10;

/** More tools of one server are searched for, even with `expose: "all"`. */
const MOST_DIRECT = 200;

interface OfferFacts {
  /** Tools that may be offered, in the order in which they are sent. */
  readonly tools: readonly ServerTool[];
  readonly exposure: (tool: ServerTool) => ToolExposure | undefined;
  /** Names of the tools that the path has in its requests. */
  readonly sent: ReadonlySet<string>;
  /** The path has `tool_search` already. */
  readonly isSearched: boolean;
  readonly budget: ToolBudget;
}

export interface PlannedOffer {
  /** In every request. */
  readonly direct: readonly ServerTool[];
  /** Some tools are only found with `tool_search`. */
  readonly isSearched: boolean;
}

/**
 * Tools that the path sends stay, and once it has `tool_search`, new ones are found with it: then nothing before them in
 * the request changes. Otherwise the tools without an own `expose` are sent if all of them fit.
 */
export function planOffer({ tools, exposure, sent, isSearched, budget }: OfferFacts): PlannedOffer {
  const direct = new Set<ServerTool>();
  const rest: ServerTool[] = [];
  const count = new Map<string, number>();
  let hasSearched = false;
  for (const tool of tools) {
    const how = exposure(tool);
    const before = count.get(tool.server) ?? 0;
    if (how === "none") continue;
    if (how === "search" || before >= MOST_DIRECT) hasSearched = true;
    else if (how === "all" || sent.has(tool.name)) {
      direct.add(tool);
      count.set(tool.server, before + 1);
    } else rest.push(tool);
  }
  const auto = [...direct, ...rest].filter((tool) => exposure(tool) !== "all");
  const fits = auto.length <= budget.maxTools && tokensOfTools(auto) <= budget.maxTokens;
  if (fits && !isSearched) for (const tool of rest) direct.add(tool);
  else hasSearched ||= rest.length > 0;
  // A path keeps tool_search while there are tools: taking it away would change its requests.
  const staysSearched = isSearched && tools.some((tool) => exposure(tool) !== "none");
  return { direct: tools.filter((tool) => direct.has(tool)), isSearched: hasSearched || staysSearched };
}

const counted = new WeakMap<ServerTool, number>();

/** An estimate of what the definition of a tool adds to a request. */
export function tokensOfTool(tool: ServerTool): number {
  const known = counted.get(tool);
  if (known !== undefined) return known;
  const tokens = estimateTextTokens(`${tool.name}${tool.description}${JSON.stringify(tool.parameters)}`);
  counted.set(tool, tokens);
  return tokens;
}

export function tokensOfTools(tools: readonly ServerTool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0);
}
