/** `mcp_resource`: lists the resources of servers, and reads one. */
import { counted, errorText } from "@bough/session/text/index.js";
import { z } from "zod";
import { askPermission, defineTool, failureResult, type Tool, textResult } from "../../tool/index.js";
import type { ServerResource } from "../connection/listed-items.js";
import type { ResourceText } from "../resource-content.js";
import { MCP_RESOURCE } from "./tool-names.js";

interface ReadableServers {
  readonly ready: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly servers: () => readonly { readonly name: string; readonly resources: readonly ServerResource[] }[];
  readonly read: (server: string, uri: string, options: { readonly signal: AbortSignal }) => Promise<ResourceText>;
}

const MOST_LISTED = 100;
/** The name of reading in rules: `mcp(server/resources)`. */
const READ = "resources";

/** Listing asks nothing. Reading asks like a call of a tool: a server may do anything to produce a resource. */
export function resourceTool({ ready, servers, read }: ReadableServers): Tool {
  return defineTool({
    name: MCP_RESOURCE,
    description: "Read a resource of an MCP server by its URI. Without a URI, list the resources.",
    input: z.strictObject({
      server: z.string().optional().describe("Name of the server (default when listing: all)"),
      uri: z.string().optional().describe("URI of the resource to read"),
      filter: z.string().optional().describe("When listing: only resources whose URI, name or description has this"),
    }),
    readOnly: false,
    permission: "own",
    changesNothing: ({ uri }) => uri === undefined,
    run: async ({ server, uri, filter }, context) => {
      const late = await ready(context.signal);
      const known = servers();
      const names = known.map(({ name }) => name);
      const chosen = server ?? (names.length === 1 ? names[0] : undefined);
      if (server !== undefined && !names.includes(server)) {
        const hint = late.includes(server) ? "It is not connected yet; try again later" : available(names);
        return failureResult(`No MCP server ${server} has resources. ${hint}.`);
      }
      if (uri === undefined) {
        return textResult(
          listing(
            known.filter(({ name }) => server === undefined || name === server),
            filter,
          ),
          undefined,
        );
      }
      if (chosen === undefined) return failureResult(`Name the server of ${uri}. ${available(names)}.`);
      const target = JSON.stringify({ server: chosen, uri });
      await askPermission(
        { tool: `${chosen}__${READ}`, action: "use", target, server: { name: chosen, tool: READ } },
        context,
      );
      try {
        const { text, images } = await read(chosen, uri, context);
        return { content: [{ type: "text", text: text === "" ? "(no text)" : text }, ...images] };
      } catch (error) {
        if (context.signal.aborted) throw error;
        return failureResult(errorText(error));
      }
    },
  });
}

function available(names: readonly string[]): string {
  return names.length === 0 ? "No server has any" : `Servers with resources: ${names.join(", ")}`;
}

/** One line of JSON for each resource: text of a server cannot look like anything else. */
function listing(
  servers: readonly { readonly name: string; readonly resources: readonly ServerResource[] }[],
  filter = "",
): string {
  const wanted = filter.toLowerCase();
  const all = servers.flatMap(({ name, resources }) =>
    resources
      .filter((one) => `${one.uri} ${one.name} ${one.description}`.toLowerCase().includes(wanted))
      .map(({ uri, name: title, description }) => JSON.stringify({ server: name, uri, name: title, description })),
  );
  const more = all.length - MOST_LISTED;
  const lines = [counted(all.length, "resource", "resources"), ...all.slice(0, MOST_LISTED)];
  if (more > 0) lines.push(`${more} more are not shown; use filter.`);
  return lines.join("\n");
}
