/** The API for extensions: `export default function (bough: ExtensionApi) { ... }`. */
import type { EntryId } from "@bough/session/entry/index.js";
import type { McpServerSettings } from "../mcp/index.js";
import type { LanguageModel, ModelInfo, ProviderConfig, ThinkingLevel } from "../model/index.js";
import type { Tool } from "../tool/index.js";
import type { ExtensionBus } from "./api/extension-bus.js";
import type { CommandContext, ExtensionContext } from "./api/extension-context.js";
import type { ToolDefinition } from "./api/tool-definition.js";
import type { MessageSender } from "./custom-message.js";
import type { ExtensionEventName, ExtensionEvents } from "./event/extension-events.js";
import type { RegisteredMcpServer } from "./event/run-events.js";
import type { ExecOptions, ExecResult } from "./exec.js";
import type { EntryRenderer, MessageRenderer, ToolRendererResolver, ToolRenderers } from "./ui-renderers.js";

export type ExtensionHandler<Name extends ExtensionEventName> = (
  event: ExtensionEvents[Name]["event"],
  context: ExtensionContext,
) => ExtensionEvents[Name]["result"] | undefined | void | Promise<ExtensionEvents[Name]["result"] | undefined | void>;

export interface ExtensionCommand {
  readonly description?: string;
  /**
   * Called as `handler(args, ctx)`: `args` and `ctx.args` are everything after the command's name. A returned string is
   * sent as a prompt.
   */
  readonly handler: (args: string, context: CommandContext) => string | void | Promise<string | void>;
  /** Completions for the argument, for front ends that support it. */
  readonly getArgumentCompletions?: (prefix: string) => unknown;
}

export interface ExtensionShortcut {
  readonly description?: string;
  /** A returned string is sent as a prompt. */
  readonly handler: (context: CommandContext) => string | void | Promise<string | void>;
}

/** An option of the command line: `bough --<name>`. */
export type ExtensionFlag =
  | { readonly type: "boolean"; readonly description?: string; readonly default?: boolean }
  | { readonly type: "string"; readonly description?: string; readonly default?: string };

/** Returns the command-line value of a flag of this type; undefined if it was not given. */
export type FlagLookup = (name: string, type: ExtensionFlag["type"]) => string | boolean | undefined;

export interface ToolInfo extends Pick<Tool, "name" | "label" | "description" | "parameters" | "promptGuidelines"> {
  readonly sourceInfo: CommandInfo["sourceInfo"];
}

export interface CommandInfo {
  readonly name: string;
  readonly description?: string;
  readonly source: "extension" | "prompt" | "skill";
  /** The file that defines it; the older name of `sourceInfo.path`. */
  readonly path: string;
  /** Where it comes from. */
  readonly sourceInfo: {
    readonly path: string;
    /** `builtin`, the name of the extension, or the file. */
    readonly source: string;
    readonly scope: "user" | "project" | "temporary";
    readonly origin: "top-level";
  };
}

export interface ExtensionApi extends MessageSender {
  /** Returns a function that unsubscribes. An unknown event is ignored, with a notice. */
  on<Name extends ExtensionEventName>(event: Name, handler: ExtensionHandler<Name>): () => void;
  on(event: string, handler: (event: never, context: ExtensionContext) => unknown): () => void;

  registerTool<Params, Details>(tool: ToolDefinition<Params, Details>): void;
  registerTool(tool: Tool & ToolRenderers): void;
  registerCommand(name: string, command: ExtensionCommand): void;
  registerShortcut(key: string, shortcut: ExtensionShortcut): void;
  registerFlag(name: string, flag: ExtensionFlag): void;
  /** The value from the command line, or the default; undefined for a flag that this extension did not register. */
  getFlag(name: string): boolean | string | undefined;
  registerMessageRenderer(customType: string, renderer: MessageRenderer): void;
  /** The older name of `registerMessageRenderer`. */
  registerCustomMessageRenderer(customType: string, renderer: MessageRenderer): void;
  registerEntryRenderer(customType: string, renderer: EntryRenderer): void;
  /** Adds a provider with its models, or changes a known one. Takes effect at once. */
  registerProvider(name: string, config: ProviderConfig): void;
  /** Undoes `registerProvider`. */
  unregisterProvider(name: string): void;
  /** Adds a model of your own beside those of its provider. Registering it again replaces it. Takes effect at once. */
  registerModel(model: LanguageModel): void;
  /** Undoes `registerModel`. */
  unregisterModel(provider: string, id: string): void;
  /**
   * Adds an MCP server for this session; nothing is saved. One registered while the extension loads is connected when
   * the session starts, a later one at once. A server of the settings with this name takes precedence. Throws for a
   * name or settings that are not valid, and for a name that another extension registered.
   */
  registerMcpServer(name: string, settings: McpServerSettings): void;
  /** Disconnects a server that this extension registered. */
  unregisterMcpServer(name: string): void;
  /** All MCP servers that extensions registered. */
  getMcpServers(): RegisteredMcpServer[];
  /** Chooses how calls of any tool are drawn. Resolvers are asked in load order. */
  registerToolRenderer(resolver: ToolRendererResolver): void;

  /** Appends an entry with state of the extension to the branch. The model never sees it. */
  appendEntry(customType: string, data?: unknown): EntryId;
  setSessionName(name: string): void;
  getSessionName(): string | undefined;
  /** Labels an entry; `undefined` removes its label. */
  setLabel(entryId: EntryId, label: string | undefined): void;
  /** Runs a program without a shell. Does not throw. */
  exec(command: string, args: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Names of the tools the model may call. */
  getActiveTools(): string[];
  getAllTools(): ToolInfo[];
  /** Sets the tools that the model may call. Unknown names are ignored. */
  setActiveTools(names: readonly string[]): void;
  /** Commands of extensions, prompt templates and skills. */
  getCommands(): CommandInfo[];
  /** Sets the model for this session. Resolves to false if its provider has no key. */
  setModel(model: ModelInfo | LanguageModel | string): Promise<boolean>;
  getThinkingLevel(): ThinkingLevel;
  setThinkingLevel(level: ThinkingLevel): void;
  /** A copy of the settings in effect: the user's and, if it is trusted, the project's. */
  getSettings(): Record<string, unknown>;
  /** Communication between extensions. */
  readonly events: ExtensionBus;
}

/** The default export of an extension. A returned promise is awaited; any other return value is ignored. */
export type ExtensionFactory = (bough: ExtensionApi) => unknown;

/** An extension as a function, with a name for messages. */
export interface NamedExtension {
  readonly name: string;
  readonly factory: ExtensionFactory;
}
