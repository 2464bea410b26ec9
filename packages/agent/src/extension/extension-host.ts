/** What extensions need from the agent. Used when an extension acts, never while it loads. */
import type { McpServerSettings } from "../mcp/index.js";
import type { LanguageModel, ProviderConfig } from "../model/index.js";
import type { Tool } from "../tool/index.js";
import type { CommandContext, ExtensionContext } from "./api/extension-context.js";
import type { CommandInfo, ExtensionApi } from "./extension-api.js";

/** The methods of the API that are passed through to the agent. */
export type AgentActions = Pick<
  ExtensionApi,
  | "sendMessage"
  | "sendUserMessage"
  | "appendEntry"
  | "setSessionName"
  | "getSessionName"
  | "setLabel"
  | "getActiveTools"
  | "setActiveTools"
  | "setModel"
  | "getThinkingLevel"
  | "setThinkingLevel"
  | "getSettings"
>;

export interface ExtensionHost extends AgentActions {
  readonly cwd: string;
  context(): ExtensionContext;
  /** The context of a command or shortcut, without its arguments. */
  commandContext(): Omit<CommandContext, "args">;
  /** All tools that the model could be given. */
  getAllTools(): readonly Tool[];
  /** Prompt templates and skills. */
  getTextCommands(): readonly CommandInfo[];
  /** Called for each tool that an extension registers after loading. */
  toolRegistered?(tool: Tool): void;
  /**
   * Called before extensions are reloaded, with the tools that will be removed. Everything they show is removed too.
   */
  beforeReload?(tools: readonly Tool[]): void;
  /** Called for each provider that an extension registers after loading. */
  registerProvider?(name: string, config: ProviderConfig): void;
  unregisterProvider?(name: string): void;
  registerModel?(model: LanguageModel): void;
  unregisterModel?(provider: string, id: string): void;
  /** Called for each MCP server that an extension registers after loading, before the event. */
  registerMcpServer?(name: string, settings: McpServerSettings): void;
  unregisterMcpServer?(name: string): void;
}
