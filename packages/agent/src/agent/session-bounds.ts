/** How an agent starts with a session, and how it leaves it. */

import { NO_PROJECT, readResources } from "../project/index.js";
import type { AgentParts } from "./agent-parts.js";
import type { AgentState } from "./agent-state.js";
import { takeInTurns } from "./driver/left-turns.js";
import { settleLeftAgents } from "./spawn/settle-left-agents.js";
import { takeInDrafts } from "./turn/take-in-drafts.js";
import { tellTools } from "./turn/tell-tools.js";

export async function beginSession(state: AgentState, reason: "startup" | "reload"): Promise<void> {
  takeInDrafts(state);
  settleLeftAgents(state);
  await state.files?.start(await takeInTurns(state));
  await tellTools(state, { reason: "start" });
  await state.hooks.emit<"session_start">({ type: "session_start", reason });
  await discoverResources(state, reason);
}

/** Skills, prompts and themes that extensions provide. */
async function discoverResources(state: AgentState, reason: "startup" | "reload"): Promise<void> {
  const { hooks, cwd } = state;
  // After a reload, resources of removed extensions must not stay.
  if (!hooks.has("resources_discover")) return state.addResources(NO_PROJECT);
  const answers = await hooks.emit<"resources_discover">({ type: "resources_discover", cwd, reason });
  const paths = (name: "skillPaths" | "promptPaths" | "themePaths") =>
    answers.flatMap(({ result }) => (Array.isArray(result?.[name]) ? (result[name] as readonly string[]) : []));
  const found = readResources({
    cwd,
    skillPaths: paths("skillPaths"),
    promptPaths: paths("promptPaths"),
    themePaths: paths("themePaths"),
  });
  state.addResources(found);
  for (const { file, message } of found.problems) {
    state.emit({ type: "notice", level: "warning", message: `${file}: ${message}` });
  }
}

type Change = "new" | "resume" | "fork";

interface Leaving {
  readonly reason: Change;
  readonly targetSessionFile?: string | undefined;
}

/**
 * Lets extensions clean up, then leaves the session with `go`. If that fails, the session stays, and they are told that
 * it starts again.
 */
export async function leaveBy<Result>(
  parts: Pick<AgentParts, "hooks" | "session">,
  { reason, targetSessionFile }: Leaving,
  go: () => Result,
): Promise<Result> {
  const { hooks, session } = parts;
  if (hooks.has("session_shutdown"))
    await hooks.emit<"session_shutdown">({ type: "session_shutdown", reason, targetSessionFile });
  try {
    return go();
  } catch (error) {
    await tellArrived(parts, { reason: "resume", previousSessionFile: session.getSessionFile() });
    throw error;
  }
}

export async function tellArrived(
  { hooks }: Pick<AgentParts, "hooks">,
  { reason, previousSessionFile }: { readonly reason: Change; readonly previousSessionFile: string | undefined },
): Promise<void> {
  if (!hooks.has("session_start")) return;
  await hooks.emit<"session_start">({ type: "session_start", reason, previousSessionFile });
}

export async function endSession(state: AgentState): Promise<void> {
  await state.hooks.emit<"session_shutdown">({ type: "session_shutdown", reason: "quit" });
  await tellTools(state, { reason: "shutdown" });
  await (await state.driven)?.close();
  await state.files?.close();
  if (state.options.ownsServers === true) await state.servers?.close();
  try {
    // Leaves nothing for closing to wait for, so that two hundred agents that end together do not block each other.
    await state.session.flush();
  } finally {
    state.session.close();
  }
}
