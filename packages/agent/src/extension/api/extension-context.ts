/** What handlers, tools and commands are given to look at the session and to act on it. */
import type { AgentMessage, AssistantMessage, EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { NewEntryFields, SessionManager } from "@bough/session/session/index.js";
import type { ModelInfo, ModelRegistry, ThinkingLevel } from "../../model/index.js";
import type { CustomMessageInput, MessageSender, SendOptions } from "../custom-message.js";
import type { CompactionResult } from "../event/extension-events.js";
import type { SystemPromptOptions } from "../event/run-events.js";
import type { ExecOptions, ExecResult } from "../exec.js";
import type { ExtensionUi } from "../extension-ui.js";
import type { ForkResult, NavigateOptions, NavigateResult } from "./navigation.js";

/** What runs the agent. `plain` is the terminal as lines of text; `library` is a program of one's own. */
export type ExtensionMode = "tui" | "plain" | "rpc" | "json" | "print" | "library";

export interface ContextUsage {
  /** An estimate; null if nothing is known yet. */
  readonly tokens: number | null;
  readonly contextWindow: number;
  readonly percent: number | null;
}

export interface CompactOptions {
  readonly customInstructions?: string;
  readonly onComplete?: (result: CompactionResult) => void;
  readonly onError?: (error: Error) => void;
}

/** The answer to `complete`. */
export interface Completion {
  readonly text: string;
  readonly message: AssistantMessage;
}

/** One question to a model, outside of the conversation. */
export interface CompleteRequest {
  readonly prompt?: string;
  /** A whole conversation in place of `prompt`. */
  readonly messages?: readonly AgentMessage[];
  readonly systemPrompt?: string;
  /** Default: the model of the session. */
  readonly model?: ModelInfo | string;
  readonly thinkingLevel?: ThinkingLevel;
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

/** A session without `prompt`: an extension sends messages instead. */
export interface LimitedSession {
  readonly isStreaming: boolean;
  sendMessage(message: CustomMessageInput, options?: SendOptions | boolean): void;
  abort(): void;
  compact(instructions?: string): Promise<unknown>;
  label(targetId: EntryId, label?: string): EntryId;
  rename(name: string): EntryId;
}

/** What can be read of the session; nothing that writes. */
export type ReadOnlySession = Pick<
  SessionManager,
  | "getBranch"
  | "getChildren"
  | "getCurrentLeaf"
  | "getCwd"
  | "getEntries"
  | "getEntry"
  | "getHeader"
  | "getLabel"
  | "getLeafEntry"
  | "getLeafId"
  | "getSessionDir"
  | "getSessionFile"
  | "getSessionId"
  | "getSessionName"
  | "getTree"
  | "buildSessionContext"
>;

/** The models, as extensions see them. */
export interface ExtensionModels
  extends Pick<
    ModelRegistry,
    "all" | "available" | "resolve" | "apiKey" | "open" | "freshKey" | "logins" | "refreshModels"
  > {
  /** The key for a model, or for a provider by its name, after a login that expired was renewed. Never print it. */
  getApiKey(model: Pick<ModelInfo, "provider"> | string): Promise<string | undefined>;
}

export interface ExtensionContext {
  readonly cwd: string;
  readonly ui: ExtensionUi;
  readonly mode: ExtensionMode;
  /** Whether a user can answer `ui`. */
  readonly hasUI: boolean;
  /** The same as `hasUI`. */
  readonly hasUi: boolean;
  /** The model in use; undefined if none is chosen. */
  readonly model: ModelInfo | undefined;
  readonly thinkingLevel: ThinkingLevel;
  readonly modelRegistry: ExtensionModels;
  /** Only reads. `saveEntry`, `branchInPlace` and `navigateTree` of the context change the session. */
  readonly sessionManager: ReadOnlySession;
  /** Fires when what is running is to end; undefined if nothing runs. */
  readonly signal: AbortSignal | undefined;
  /** Nothing is running. */
  isIdle(): boolean;
  /** Whether the project may load its own extensions and permissions. */
  isProjectTrusted(): boolean;
  /** Stops what is running. */
  abort(): void;
  /** Whether texts of the user wait for the run. */
  hasPendingMessages(): boolean;
  /** Ends the program once nothing is running. */
  shutdown(): void;
  /** How full the model's context is; undefined without a model. */
  getContextUsage(): ContextUsage | undefined;
  /** Starts a compaction and returns at once. What comes of it is told by the functions in `options`. */
  compact(options?: CompactOptions): void;
  getSystemPrompt(): string;
  /** Asks a model once, outside of the conversation. Rejects if the model fails. */
  complete(request: string | CompleteRequest): Promise<Completion>;
  readonly session: LimitedSession;
  readonly entries: readonly SessionEntry[];
  readonly currentPath: readonly SessionEntry[];
  exec(command: string, args: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** A new file from an entry, as `/fork`. */
  branch(entryId: EntryId): Promise<ForkResult>;
  /** A new branch in this file. */
  branchInPlace(parentId: EntryId | null, summary?: string): Promise<void>;
  navigateTree(targetId: EntryId, options?: NavigateOptions): Promise<NavigateResult>;
  /** Appends an entry of any type below the leaf, with the fields it has; its place is given by the session. */
  saveEntry(entry: NewEntryFields): Promise<EntryId>;
  rebuildContext(): Promise<void>;
}

/** What a command is given after it has gone to another session. */
export type ReplacedSessionContext = CommandContext & MessageSender;

export interface ReplaceSessionOptions {
  /** Called in the session that is opened. */
  readonly withSession?: (context: ReplacedSessionContext) => void | Promise<void>;
}

export interface NewSessionOptions extends ReplaceSessionOptions {
  readonly parentSession?: string;
  /** Writes the first entries of the new session. */
  readonly setup?: (session: SessionManager) => void | Promise<void>;
}

/** Whether an extension kept the session that was open. */
export interface SessionReplacement {
  readonly cancelled: boolean;
}

/** With what only a user may start, because it waits for the session or leaves it. */
export interface CommandContext extends ExtensionContext {
  /** Everything after the command's name. */
  readonly args: string;
  /** What the system prompt is made of. */
  getSystemPromptOptions(): SystemPromptOptions;
  /** Resolves when nothing is running and nothing is about to. */
  waitForIdle(): Promise<void>;
  newSession(options?: NewSessionOptions): Promise<SessionReplacement>;
  /** A new file from the path before a user message, or with `at` from the path to any entry. */
  fork(
    entryId: EntryId,
    options?: ReplaceSessionOptions & { readonly position?: "before" | "at" },
  ): Promise<SessionReplacement>;
  switchSession(file: string, options?: ReplaceSessionOptions): Promise<SessionReplacement>;
  /** Reads the code of all extensions again. The one that calls it should do nothing after it. */
  reload(): Promise<void>;
}
