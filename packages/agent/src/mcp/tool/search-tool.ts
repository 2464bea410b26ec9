/** `tool_search`: finds tools of servers that are not in the request. */
import { counted } from "@bough/session/text/index.js";
import { z } from "zod";
import { defineTool, type Tool, textResult } from "../../tool/index.js";
import type { ServerTool } from "./listed-tools.js";
import { type ServerDescriptions, searchTools } from "./search-tools.js";
import { MCP_CALL, TOOL_SEARCH } from "./tool-names.js";

interface SearchableServers {
  /** Waits a little for servers that are still connecting. Resolves with the names of those that are not ready. */
  readonly ready: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly servers: () => readonly { readonly name: string; readonly tools: readonly ServerTool[] }[];
  readonly tools: () => readonly ServerTool[];
  readonly about: () => ServerDescriptions;
}

const FOUND = 8;
const MOST_FOUND = 20;
/** Of further matches only the names are given. */
const MOST_NAMED = 12;
/** Definitions after this many characters are left out, except that of the best match. */
const LONGEST_ANSWER = 20_000;
const LONGEST_DESCRIPTION = 1_500;
const LONGEST_NAME = 80;

/** Only reads lists that are already here. The definition never changes, so that it does not change requests. */
export function searchTool({ ready, servers, tools, about: descriptions }: SearchableServers): Tool {
  return defineTool({
    name: TOOL_SEARCH,
    description: `Find tools of MCP servers that are not listed here. Returns the name, description and input schema of each match. Then call it with ${MCP_CALL}. Search before you say that something cannot be done.`,
    input: z.strictObject({
      query: z.string().min(1).describe("What the tool should do, in a few words, or its exact name"),
      server: z.string().optional().describe("Search only this server"),
      limit: z.int().min(1).max(MOST_FOUND).optional().describe(`Number of results (default ${FOUND})`),
    }),
    readOnly: true,
    run: async ({ query, server, limit = FOUND }, { signal }) => {
      const late = await ready(signal);
      const listed = server === undefined ? tools() : (servers().find(({ name }) => name === server)?.tools ?? []);
      const found = searchTools(listed, query, descriptions());
      const shown = found.tools.slice(0, limit);
      const about = server === undefined ? counted(listed.length, "tool", "tools") : `the tools of ${server}`;
      const lines =
        shown.length === 0
          ? [`No tool matches "${query}". ${listing(servers())}`]
          : [`${found.tools.length} of ${about} match. Call one with ${MCP_CALL}.`, ...definitions(shown)];
      const further = found.tools.slice(shown.length, shown.length + MOST_NAMED);
      if (further.length > 0)
        lines.push(`Also: ${further.map(({ server, tool }) => quoted(`${server}/${tool}`)).join(", ")}`);
      if (shown.length > 0 && found.unknown.length > 0) lines.push(`No tool has: ${found.unknown.join(", ")}`);
      if (late.length > 0) lines.push(`Not connected yet: ${late.join(", ")}. Search again later for their tools.`);
      return textResult(lines.join("\n"), { matches: found.tools.length });
    },
  });
}

/** One line of JSON for each tool: text of a server cannot look like anything else. */
function definitions(tools: readonly ServerTool[]): readonly string[] {
  let left = LONGEST_ANSWER;
  return tools.map(({ server, tool, description, parameters }, at) => {
    const about = { server, tool, description: description.slice(0, LONGEST_DESCRIPTION) };
    const whole = JSON.stringify({ ...about, input: parameters });
    const line =
      at === 0 || whole.length <= left
        ? whole
        : JSON.stringify({ ...about, input: `too long here; search for ${server}/${tool} to see it` });
    left -= line.length;
    return line;
  });
}

/** A name comes from a server. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, LONGEST_NAME));
}

function listing(servers: ReturnType<SearchableServers["servers"]>): string {
  if (servers.length === 0) return "No MCP server has tools to search.";
  return `Servers: ${servers.map(({ name, tools }) => `${name} (${counted(tools.length, "tool", "tools")})`).join(", ")}.`;
}
