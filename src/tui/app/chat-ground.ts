/** The conversation as extensions reach it. */
import type { Chat, ChatParts } from "../chat/chat.js";
import type { ChatGround, ExtensionScreen } from "../extension/extension-screen.js";
import { gitBranch } from "../footer/git-branch.js";
import type { AppParts } from "./app-parts.js";

export function chatGround({ registry, cwd }: AppParts, chat: Chat): ChatGround {
  return {
    toolsExpanded: () => chat.toolsExpanded,
    setToolsExpanded: (expanded) => chat.setToolsExpanded(expanded),
    gitBranch: () => gitBranch(cwd),
    providerCount: () => new Set(registry.available().map(({ provider }) => provider)).size,
  };
}

/** What extensions draw in the conversation. */
export function chatExtensions(
  { registrations }: AppParts,
  screen: ExtensionScreen,
): Pick<ChatParts, "renderer" | "header" | "thinkingLabel"> {
  return {
    renderer: (customType) => registrations.renderer(customType),
    header: (width) => screen.headerLines(width),
    thinkingLabel: () => screen.thinkingLabel,
  };
}
