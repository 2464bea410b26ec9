/** Tools of MCP servers: what a path offers is in the log, so that the same path always gives the same bytes. */
import { type EntryId, Kind } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";

/** The `customType` of the record of the tools that MCP servers offer from there on. */
export const TOOLS_TYPE = "bough.tools";

/**
 * Decides at the start of a turn which tools of servers are offered. Writes a record if they differ from those on the
 * path; within a turn nothing changes, and an unreachable server changes nothing.
 */
export async function recordServerTools(
  parts: Pick<RunParts, "session" | "emit" | "files" | "servers" | "useServerTools" | "ownTools">,
  { signal }: OperationOptions,
): Promise<EntryId | undefined> {
  const { servers, session } = parts;
  if (servers === undefined) return undefined;
  await servers.settled({ signal });
  const recorded = recordedTools(session);
  const taken = parts.ownTools.map(({ name }) => name);
  const offered = servers.offered(recorded, taken);
  parts.useServerTools(offered.map((listed) => servers.tool(listed)));
  if (JSON.stringify(offered) === JSON.stringify(recorded)) return undefined;
  // What a step changed is written directly below it.
  await parts.files?.settled();
  const id = session.appendCustomEntry(TOOLS_TYPE, { tools: offered });
  parts.emit({ type: "entries", ids: [id] });
  return id;
}

/** From the log alone, so that it holds after a move, a restart, and for what another process wrote. */
function recordedTools(session: SessionManager): readonly unknown[] {
  const { tree, leaf, entryAt } = session.getSource();
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    if (tree.kindOf(n) !== Kind.custom) continue;
    const entry = entryAt(n);
    if (entry.type !== "custom" || entry.customType !== TOOLS_TYPE) continue;
    return isRecord(entry.data) && Array.isArray(entry.data.tools) ? entry.data.tools : [];
  }
  return [];
}
