/** Why a key of the conversation does nothing at the moment. */
import type { CommandContext } from "../../command/index.js";
import { reopenDisabled } from "./reopen.js";

interface ChatSituation {
  readonly world: CommandContext;
  /** What is in the editor. */
  readonly text: string;
}

const NOT_EMPTY = "The editor is not empty.";

export function chatOffReason(actionId: string, { world, text }: ChatSituation): string | undefined {
  const { agent, settings } = world;
  switch (actionId) {
    case "chat.send":
      return agent.session.getReadOnlyReason()?.message;
    case "chat.reopen":
      return reopenDisabled(agent.session);
    case "chat.stop":
      return agent.operation === undefined ? "Nothing is running." : undefined;
    case "chat.doubleEscape":
      if (settings.current.doubleEscapeAction === "none") return "The setting doubleEscapeAction is none.";
      return text === "" ? undefined : NOT_EMPTY;
    case "chat.help":
    case "chat.quit":
      return text === "" ? undefined : NOT_EMPTY;
    case "chat.thinkingLevel":
      if (agent.model === undefined) return "No model is selected.";
      return agent.model.info.reasoning ? undefined : `${agent.model.info.name} does not support thinking.`;
    default:
      return undefined;
  }
}
