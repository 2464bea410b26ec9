/** MCP servers: tells the model their instructions, and which of them have tools to search for. */
import { type EntryId, Kind, SERVERS_TYPE } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { ServerOffer } from "../../mcp/index.js";
import { serversNote, type ToldServers, toldServers } from "../../mcp/internal.js";
import type { RunParts } from "../run-parts.js";

/**
 * Writes a note at the end of the path if a server said something new, so that earlier bytes stay as they are. After a
 * compaction everything is said again.
 */
export async function tellServers(
  { session, servers, files, emit }: Pick<RunParts, "session" | "emit" | "files" | "servers">,
  offered: ServerOffer,
): Promise<EntryId | undefined> {
  if (servers === undefined) return undefined;
  const told = toldOnPath(session);
  const enabled = servers.enabledNames;
  const gone = Object.keys(told).filter((name) => !enabled.includes(name));
  const note = serversNote(servers.announced(offered), { told, gone });
  if (note === undefined) return undefined;
  // What a step changed is written directly below it.
  await files?.settled();
  const id = session.appendCustomMessageEntry(SERVERS_TYPE, note.text, false, { servers: note.told });
  emit({ type: "entries", ids: [id] });
  return id;
}

/** From the log alone, so that it holds after a move, after a restart, and for what another process wrote. */
function toldOnPath(session: SessionManager): ToldServers {
  const { tree, leaf, entryAt } = session.getSource();
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    const kind = tree.kindOf(n);
    if (kind === Kind.compaction) return {};
    if (kind !== Kind.customMessage) continue;
    const entry = entryAt(n);
    if (entry.type !== "custom_message" || entry.customType !== SERVERS_TYPE) continue;
    return toldServers(isRecord(entry.details) ? entry.details.servers : undefined);
  }
  return {};
}
