/** What extensions need of the agent. It is asked when an extension acts, never while it loads. */
import type { ProviderConfig } from "../model/index.js";
import type { Tool } from "../tool/index.js";
import type { CommandContext, ExtensionContext } from "./api/extension-context.js";
import type { CommandInfo, ExtensionApi } from "./extension-api.js";

/** The calls of the API that are passed on as they are. */
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
>;

export interface ExtensionHost extends AgentActions {
  readonly cwd: string;
  context(): ExtensionContext;
  /** The context of a command or a shortcut, without what was typed. */
  commandContext(): Omit<CommandContext, "args">;
  /** Every tool the model may be given. */
  getAllTools(): readonly Tool[];
  /** Prompt templates and skills. */
  getTextCommands(): readonly CommandInfo[];
  /** Called for each tool that an extension registers after it was loaded. */
  toolRegistered?(tool: Tool): void;
  /** Called before extensions are loaded again, with the tools that go. What they show goes too. */
  beforeReload?(tools: readonly Tool[]): void;
  /** Called for each provider that an extension registers after it was loaded. */
  registerProvider?(name: string, config: ProviderConfig): void;
  unregisterProvider?(name: string): void;
}
