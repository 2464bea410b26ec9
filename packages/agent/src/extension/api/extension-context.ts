/** The context through which handlers, tools and commands read the session and act on it. */
import type { AgentMessage, AssistantMessage, EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { NewEntryFields, SessionManager } from "@bough/session/session/index.js";
import type { ModelInfo, ModelRegistry, ThinkingLevel } from "../../model/index.js";
import type { CustomMessageInput, MessageSender, SendOptions } from "../custom-message.js";
import type { CompactionResult } from "../event/extension-events.js";
import type { SystemPromptOptions } from "../event/run-events.js";
import type { ExecOptions, ExecResult } from "../exec.js";
import type { ExtensionUi } from "../extension-ui.js";
import type { ForkResult, NavigateOptions, NavigateResult } from "./navigation.js";

/** The front end. `plain` is line-based terminal output; `library` is any other program that uses Bough. */
export type ExtensionMode = "tui" | "plain" | "rpc" | "json" | "print" | "library";

export interface ContextUsage {
  /** An estimate; null if not known yet. */
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

/** A single request to a model, outside of the conversation. */
export interface CompleteRequest {
  readonly prompt?: string;
  /** A conversation instead of `prompt`. */
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

/** The read-only methods of the session. */
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

/** The model registry for extensions. */
export interface ExtensionModels
  extends Pick<
    ModelRegistry,
    "all" | "available" | "resolve" | "apiKey" | "open" | "freshKey" | "logins" | "refreshModels"
  > {
  /** The key for a model, or for a provider by name; renews an expired login first. Never print it. */
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
  /** Read-only. To change the session, use `saveEntry`, `branchInPlace` and `navigateTree` of the context. */
  readonly sessionManager: ReadOnlySession;
  /** Aborted when the current run is to end; undefined if nothing runs. */
  readonly signal: AbortSignal | undefined;
  /** Whether nothing is running. */
  isIdle(): boolean;
  /** Whether the project may load its own extensions and permissions. */
  isProjectTrusted(): boolean;
  /** Stops the current run. */
  abort(): void;
  /** Whether messages of the user are queued for the run. */
  hasPendingMessages(): boolean;
  /** Ends the program once nothing is running. */
  shutdown(): void;
  /** The current size of the context; undefined without a model. */
  getContextUsage(): ContextUsage | undefined;
  /** Starts a compaction and returns at once. The callbacks in `options` report the outcome. */
  compact(options?: CompactOptions): void;
  getSystemPrompt(): string;
  /** Asks a model once, outside of the conversation. Rejects if the model fails. */
  complete(request: string | CompleteRequest): Promise<Completion>;
  readonly session: LimitedSession;
  readonly entries: readonly SessionEntry[];
  readonly currentPath: readonly SessionEntry[];
  exec(command: string, args: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Forks into a new file at an entry, like `/fork`. */
  branch(entryId: EntryId): Promise<ForkResult>;
  /** Starts a new branch in this file. */
  branchInPlace(parentId: EntryId | null, summary?: string): Promise<void>;
  navigateTree(targetId: EntryId, options?: NavigateOptions): Promise<NavigateResult>;
  /** Appends an entry of any type below the leaf. The session sets its ID, parent and time. */
  saveEntry(entry: NewEntryFields): Promise<EntryId>;
  rebuildContext(): Promise<void>;
}

/** The context of a command after it has switched to another session. */
export type ReplacedSessionContext = CommandContext & MessageSender;

export interface ReplaceSessionOptions {
  /** Called with the context of the opened session. */
  readonly withSession?: (context: ReplacedSessionContext) => void | Promise<void>;
}

export interface NewSessionOptions extends ReplaceSessionOptions {
  readonly parentSession?: string;
  /** Writes the first entries of the new session. */
  readonly setup?: (session: SessionManager) => void | Promise<void>;
}

/** Whether an extension cancelled the switch. */
export interface SessionReplacement {
  readonly cancelled: boolean;
}

/** Adds methods for commands started by the user, which may wait for the session or leave it. */
export interface CommandContext extends ExtensionContext {
  /** Everything after the command's name. */
  readonly args: string;
  /** The parts of the system prompt. */
  getSystemPromptOptions(): SystemPromptOptions;
  /** Resolves when nothing is running or about to run. */
  waitForIdle(): Promise<void>;
  newSession(options?: NewSessionOptions): Promise<SessionReplacement>;
  /** Forks the path before a user message into a new file, or with `at`, the path up to and including any entry. */
  fork(
    entryId: EntryId,
    options?: ReplaceSessionOptions & { readonly position?: "before" | "at" },
  ): Promise<SessionReplacement>;
  switchSession(file: string, options?: ReplaceSessionOptions): Promise<SessionReplacement>;
  /** Reloads the code of all extensions. The caller should do nothing afterwards. */
  reload(): Promise<void>;
}
