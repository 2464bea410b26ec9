/** A front end that asks nothing and shows nothing: for commands that use an agent without talking to a model. */
import { silentUi } from "@bough/agent/extension/run.js";
import type { FrontEnd } from "../../start/prepare-agent.js";

export function quietFront({ version }: Pick<FrontEnd, "version">): FrontEnd {
  return {
    ui: (relay) => silentUi((message, level) => relay.notice(level, message)),
    hasUi: false,
    mode: "print",
    version,
  };
}
