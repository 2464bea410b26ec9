/** How an agent takes up its session, and how it leaves it. */
import { readResources } from "../project/index.js";
import { defined } from "../text/index.js";
import type { AgentParts } from "./agent-parts.js";
import type { AgentState } from "./agent-state.js";
import { takeInDrafts } from "./turn/take-in-drafts.js";
import { tellTools } from "./turn/tell-tools.js";

export async function beginSession(state: AgentState, reason: "startup" | "reload"): Promise<void> {
  takeInDrafts(state);
  await tellTools(state, { reason: "start" });
  await state.hooks.emit<"session_start">({ type: "session_start", reason });
  await discoverResources(state, reason);
}

/** Skills and prompts that extensions bring along. */
async function discoverResources(state: AgentState, reason: "startup" | "reload"): Promise<void> {
  const { hooks, cwd } = state;
  if (!hooks.has("resources_discover")) return;
  const answers = await hooks.emit<"resources_discover">({ type: "resources_discover", cwd, reason });
  const paths = (name: "skillPaths" | "promptPaths") =>
    answers.flatMap(({ result }) => (Array.isArray(result?.[name]) ? (result[name] as readonly string[]) : []));
  const found = readResources({ cwd, skillPaths: paths("skillPaths"), promptPaths: paths("promptPaths") });
  state.addResources(found);
  for (const { file, message } of found.problems) {
    state.emit({ type: "notice", level: "warning", message: `${file}: ${message}` });
  }
}

type Change = "new" | "resume" | "fork";

/** Extensions put away what belongs to the session that is left. */
export async function tellLeaving(
  { hooks }: Pick<AgentParts, "hooks">,
  { reason, targetSessionFile }: { readonly reason: Change; readonly targetSessionFile?: string | undefined },
): Promise<void> {
  if (!hooks.has("session_shutdown")) return;
  await hooks.emit<"session_shutdown">({ type: "session_shutdown", reason, ...defined({ targetSessionFile }) });
}

export async function tellArrived(
  { hooks }: Pick<AgentParts, "hooks">,
  { reason, previousSessionFile }: { readonly reason: Change; readonly previousSessionFile: string | undefined },
): Promise<void> {
  if (!hooks.has("session_start")) return;
  await hooks.emit<"session_start">({ type: "session_start", reason, ...defined({ previousSessionFile }) });
}

/** Extensions are about to be loaded again. */
export async function tellReload({ hooks }: Pick<AgentParts, "hooks">): Promise<void> {
  await hooks.emit<"session_shutdown">({ type: "session_shutdown", reason: "reload" });
}

export async function endSession(state: AgentState): Promise<void> {
  await state.hooks.emit<"session_shutdown">({ type: "session_shutdown", reason: "quit" });
  await tellTools(state, { reason: "shutdown" });
  try {
    // So that closing has nothing left to wait for: two hundred agents that end together do not stop each other.
    await state.session.flush();
  } finally {
    state.session.close();
  }
}
