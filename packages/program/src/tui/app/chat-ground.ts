/** The conversation as extensions reach it. */
import type { Chat, ChatParts } from "../chat/chat.js";
import type { ChatGround, ExtensionScreen } from "../extension/extension-screen.js";
import { ExtensionRenderers } from "../extension/renderers.js";
import type { AppFooter } from "./app-footer.js";
import type { AppParts } from "./app-parts.js";

export function chatGround(
  { registry, agent }: Pick<AppParts, "registry" | "agent">,
  { chat, footer }: { readonly chat: Chat; readonly footer: Pick<AppFooter, "gitBranch"> },
): ChatGround {
  return {
    toolsExpanded: () => chat.toolsExpanded,
    setToolsExpanded: (expanded) => chat.setToolsExpanded(expanded),
    gitBranch: () => footer.gitBranch,
    providerCount: () => new Set(registry.available().map(({ provider }) => provider)).size,
    themes: () => agent.themes,
    useEditor: (given) => chat.editor.useEditor(given),
    addCompletion: (layer) => chat.editor.addCompletion(layer),
    removeCompletions: () => chat.editor.removeCompletions(),
  };
}

/** What extensions draw in the conversation. */
export function chatExtensions(
  { registrations, agent, cwd }: AppParts,
  screen: ExtensionScreen,
): Pick<ChatParts, "renderer" | "drawers" | "header" | "thinkingLabel"> {
  const { host } = screen;
  return {
    renderer: (customType) => registrations.renderer(customType),
    drawers: new ExtensionRenderers({ host, registrations, cwd, entry: (id) => agent.session.getEntry(id) }),
    header: (width) => screen.headerLines(width),
    thinkingLabel: () => screen.thinkingLabel,
  };
}
