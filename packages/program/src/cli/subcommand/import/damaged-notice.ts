/** Reports other agents' sessions that exist but cannot be read. */
import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { counted, withoutControls } from "@bough/session/text/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import type { SubcommandCall } from "../subcommand.js";

const SHOWN = 10;

/** On standard error: each file with its reason. */
export function noteDamaged(
  { out }: Pick<SubcommandCall, "out">,
  sessions: readonly Pick<ForeignSession, "agent" | "path" | "problem">[],
): void {
  const damaged = sessions.flatMap(({ agent, path, problem }) =>
    problem === undefined ? [] : [{ agent, path, problem }],
  );
  if (damaged.length === 0) return;
  out.notice(`bough: ${counted(damaged.length, "session")} from other agents cannot be read`);
  for (const { agent, path, problem } of damaged.slice(0, SHOWN)) {
    const what = problem.kind === "damaged" ? "damaged" : "too large";
    out.notice(withoutControls(`  ${path} (${AGENT_TITLES[agent]}) is ${what}. ${problem.reason}`));
  }
  if (damaged.length > SHOWN) out.notice(`  and ${damaged.length - SHOWN} more`);
}
