/** Tools of MCP servers: what a path offers is in the log, so that the same path always gives the same bytes. */
import { type EntryId, Kind } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import type { RecordedOffer, ServerOffer } from "../../mcp/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";
import { tellServers } from "./tell-servers.js";

/** The `customType` of the record of the tools that MCP servers offer from there on. */
export const TOOLS_TYPE = "bough.tools";

/**
 * Decides at the start of a turn which tools of servers are offered, and tells the model what is new about servers.
 * Writes a record if the tools differ from those on the path; within a turn nothing changes, an unreachable server changes
 * nothing, and neither does a tool that is searched for.
 */
export async function recordServerTools(
  parts: Pick<RunParts, "session" | "emit" | "files" | "servers" | "useServerTools" | "ownTools" | "model">,
  { signal }: OperationOptions,
): Promise<EntryId | undefined> {
  const { servers, session } = parts;
  if (servers === undefined) return undefined;
  await servers.settled({ signal });
  const recorded = recordedOffer(session);
  const taken = parts.ownTools.map(({ name }) => name);
  const window = parts.model?.info.contextWindow;
  const offered = servers.offer(recorded, { taken, window });
  parts.useServerTools([...offered.tools.map((listed) => servers.tool(listed)), ...servers.ownTools(offered)]);
  let id: EntryId | undefined;
  if (isOther(offered, recorded) || isOtherWindow(offered, { recorded, window })) {
    // What a step changed is written directly below it.
    await parts.files?.settled();
    const { tools, search, resources } = offered;
    id = session.appendCustomEntry(
      TOOLS_TYPE,
      defined({ tools, search: search || undefined, resources: resources || undefined, window }),
    );
    parts.emit({ type: "entries", ids: [id] });
  }
  await tellServers(parts, offered);
  return id;
}

function isOther(offered: ServerOffer, { tools, search = false, resources = false }: RecordedOffer): boolean {
  if (offered.search !== search || offered.resources !== resources) return true;
  return JSON.stringify(offered.tools) !== JSON.stringify(tools);
}

/** Decided for another model. Old records do not say; they hold for every model. */
function isOtherWindow(
  { tools, search }: ServerOffer,
  { recorded, window }: { readonly recorded: RecordedOffer; readonly window: number | undefined },
): boolean {
  return recorded.window !== undefined && recorded.window !== window && (search || tools.length > 0);
}

/** From the log alone, so that it holds after a move, a restart, and for what another process wrote. */
function recordedOffer(session: SessionManager): RecordedOffer {
  const { tree, leaf, entryAt } = session.getSource();
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    if (tree.kindOf(n) !== Kind.custom) continue;
    const entry = entryAt(n);
    if (entry.type !== "custom" || entry.customType !== TOOLS_TYPE) continue;
    const { tools, search, resources, window } = isRecord(entry.data) ? entry.data : {};
    return {
      tools: Array.isArray(tools) ? tools : [],
      search: search === true,
      resources: resources === true,
      window: typeof window === "number" ? window : undefined,
    };
  }
  return { tools: [] };
}
