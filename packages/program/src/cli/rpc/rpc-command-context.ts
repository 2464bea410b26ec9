/** The context of commands without a screen or a user to ask. */

import { boughHome, sessionFolder } from "@bough/session/session/index.js";
import { type CommandContext, commandsOfExtensions, createCommandContext, type FrontEnd } from "../../command/index.js";
import type { StartedAgent } from "../start/started-agent.js";
import type { StoppableWork } from "../stoppable-work.js";

/**
 * The context of commands that a client sends. It has no screens and no questions, so commands answer with text and
 * data, and a summary is written only if requested.
 */
export function rpcCommandContext(started: StartedAgent, longWork: StoppableWork): CommandContext {
  const { agent, runner, relay, cwd, sessionDir, version } = started.parts;
  const front: FrontEnd = {
    screens: new Set(),
    open: async ({ screen }) => {
      throw new Error(`bug: there is no screen ${screen} in RPC`);
    },
    canAsk: false,
    askBeforeMove: async () => ({ kind: "stay" }),
    askFailed: async () => "stay",
    watch: (work) => longWork.run(work),
    tell: (notice, level = "info") => relay.notice(level === "good" ? "info" : level, notice),
    // Both are part of the outcome.
    setEditorText: () => {},
    copy: () => {},
  };
  return createCommandContext({
    agent,
    front,
    cwd,
    sessionDir: sessionDir ?? sessionFolder(cwd),
    home: boughHome(),
    version,
    now: () => new Date(),
    permissions: started.parts.permissions,
    sync: started.parts.sync,
    ui: started.parts.host.context().ui,
    extra: () =>
      commandsOfExtensions(runner.registrations.commands, (name, args) => started.runExtensionCommand(name, args)),
  });
}
