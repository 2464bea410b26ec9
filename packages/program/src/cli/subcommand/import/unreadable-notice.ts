/** Reports folders of other agents that cannot be read: an empty list would be misleading. */
import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { counted } from "@bough/session/text/index.js";
import type { AgentName } from "@bough/workbench/interop/index.js";
import type { SubcommandCall } from "../subcommand.js";

const SHOWN = 3;

/** On standard error, once. An empty list means all agents. */
export async function noteUnreadable(
  { out }: Pick<SubcommandCall, "out">,
  agents: readonly string[] = [],
): Promise<void> {
  // Loaded only here, so that listing one's own sessions does not wait for the other readers.
  const { closedPlaces } = await import("@bough/workbench/interop/index.js");
  const closed = closedPlaces({ agents: agents.length === 0 ? undefined : (agents as readonly AgentName[]) });
  if (closed.length === 0) return;
  out.notice(`bough: ${counted(closed.length, "folder")} from other agents cannot be read`);
  for (const { agent, path } of closed.slice(0, SHOWN)) out.notice(`  ${path} (${AGENT_TITLES[agent]})`);
  if (closed.length > SHOWN) out.notice(`  and ${closed.length - SHOWN} more: bough doctor lists them`);
}
