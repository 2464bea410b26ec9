/** What other agents kept on this machine: how many sessions of each, and if no one may look. */
import { AGENT_TITLES } from "../../../entry/index.js";
import type { AgentName } from "../../../interop/index.js";
import { counted } from "../../../text/index.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Check } from "./check-environment.js";

const area = "Other agents";
const SHOWN = 20;

export async function checkAgents({ signal }: Pick<SubcommandCall, "signal">): Promise<readonly Check[]> {
  const { closedPlaces, findSessions } = await import("../../../interop/index.js");
  const counts = new Map<AgentName, number>();
  const all = await findSessions({ signal });
  for (const { agent, problem } of all) if (problem === undefined) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  const damaged = all.flatMap(({ agent, path, problem }) => (problem === undefined ? [] : [{ agent, path, problem }]));
  const found = [...counts].map(([agent, count]) => `${AGENT_TITLES[agent]} ${count}`).join(", ");
  const message = counts.size === 0 ? "No sessions from other agents found" : `Readable sessions: ${found}`;
  const closed = closedPlaces();
  const checks: Check[] = [{ area, level: "ok", message }];
  for (const { agent, path, problem } of damaged.slice(0, SHOWN)) {
    const what = problem.kind === "damaged" ? "damaged" : "too large to read";
    checks.push({
      area,
      level: "warning",
      message: `A session from ${AGENT_TITLES[agent]} is ${what}: ${path}`,
      hint: problem.reason,
    });
  }
  if (damaged.length > SHOWN) {
    checks.push({ area, level: "note", message: `and ${counted(damaged.length - SHOWN, "session")} more` });
  }
  for (const { agent, path } of closed.slice(0, SHOWN)) {
    const hint = `Check its owner: ls -ld ${path}`;
    checks.push({ area, level: "warning", message: `Cannot read ${AGENT_TITLES[agent]} files: ${path}`, hint });
  }
  if (closed.length > SHOWN) {
    checks.push({ area, level: "note", message: `and ${counted(closed.length - SHOWN, "place")} more` });
  }
  return checks;
}
