/** What extensions may do with an agent. */

import type { CommandInfo, FrontEndUi } from "../../extension/index.js";
import type { ExtensionHost } from "../../extension/run.js";
import type { ModelInfo } from "../../model/index.js";
import type { Tool } from "../../tool/index.js";
import type { AgentSession } from "../agent-session.js";
import { isLanguageModel } from "../turn/select-model.js";
import { commandContext } from "./command-context.js";
import { extensionContext } from "./extension-context.js";
import type { ExtensionHostOptions } from "./host-options.js";
import { ToolChoice } from "./tool-choice.js";

/** A host that is made before its agent. */
export interface AttachableHost extends ExtensionHost {
  readonly attach: (agent: AgentSession) => void;
}

/**
 * Connects extensions to an agent: the calls of the API and the context of their handlers. They are loaded before there
 * is an agent, because its tools and hooks come from them; `attach` is called when it is created.
 */
export function extensionHost(options: ExtensionHostOptions): AttachableHost {
  const { cwd, takesTool = () => true } = options;
  let attached: AgentSession | undefined;
  const agent = (): AgentSession => {
    const found = options.agent?.() ?? attached;
    if (found === undefined) throw new Error("There is no session while extensions are loading");
    return found;
  };
  const tools = new ToolChoice(agent, takesTool);
  const context = () => extensionContext(agent, options);
  return {
    cwd,
    attach: (created) => {
      attached = created;
    },
    context,
    commandContext: () => commandContext(agent, options),
    sendMessage: (message, how) => void agent().sendMessage(message, how),
    sendUserMessage: (content, how) => {
      const isCommand = how?.expandPromptTemplates === true && typeof content === "string";
      if (isCommand && options.runCommand?.(content) === true) return;
      void agent().sendUserMessage(content, how);
    },
    appendEntry: (customType, data) => agent().appendEntry(customType, data),
    setSessionName: (name) => void agent().rename(name),
    getSessionName: () => agent().session.getSessionName(),
    setLabel: (entryId, label) => void agent().label(entryId, label),
    getActiveTools: () => tools.active().map(({ name }) => name),
    getAllTools: () => tools.all(),
    setActiveTools: (names) => tools.choose(names),
    toolRegistered: (tool: Tool) => tools.add(tool),
    beforeReload: (removed) => {
      if (removed.length > 0) tools.remove(removed);
      (options.ui as FrontEndUi).reset?.();
    },
    getTextCommands: () => textCommands(agent()),
    setModel: async (model) => {
      const { registry } = agent();
      const wanted = typeof model === "string" ? registry.resolve(model) : model;
      if (!isLanguageModel(wanted) && !isReachable(registry.available(), wanted)) return false;
      agent().setModel(wanted);
      return true;
    },
    getThinkingLevel: () => agent().thinkingLevel,
    setThinkingLevel: (level) => agent().setThinkingLevel(level),
    registerProvider: (name, config) => agent().registry.registerProvider?.(name, config),
    unregisterProvider: (name) => agent().registry.unregisterProvider?.(name),
    registerModel: (model) => agent().registry.registerModel?.(model),
    unregisterModel: (provider, id) => agent().registry.unregisterModel?.(provider, id),
    registerMcpServer: (name, settings) => {
      const { servers } = agent();
      if (servers === undefined)
        throw new Error(`The MCP server ${name} is not connected: this agent takes no servers`);
      servers.add({ name, settings, source: { kind: "program" } });
    },
    unregisterMcpServer: (name) => agent().servers?.remove(name),
    getSettings: () => structuredClone({ ...agent().settings }) as Record<string, unknown>,
  };
}

function isReachable(available: readonly ModelInfo[], { provider, id }: ModelInfo): boolean {
  return available.some((info) => info.provider === provider && info.id === id);
}

function textCommands({ templates, skills }: AgentSession): CommandInfo[] {
  const from = (path: string) => ({ path, source: path, scope: "user", origin: "top-level" }) as const;
  return [
    ...templates.map(({ name, description, path }) => ({
      name,
      description,
      source: skills.some((skill) => skill.path === path) ? ("skill" as const) : ("prompt" as const),
      path,
      sourceInfo: from(path),
    })),
  ];
}
