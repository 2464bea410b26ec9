/** What an extension is given: `export default function (bough: ExtensionApi) { ... }`. */
import type { BranchSummaryEntry, EntryId, MoveCause, SessionEntry } from "../entry/index.js";
import type { ModelRegistry } from "../model/index.js";
import type { NewEntryFields, SessionManager } from "../session/index.js";
import type { JsonToolSpec, Tool } from "../tool/index.js";
import type { CustomMessageInput } from "./custom-message.js";
import type { ExtensionEventName, ExtensionEvents } from "./extension-events.js";
import type { ExtensionUi } from "./extension-ui.js";
import type { EntryRenderer, MessageRenderer, ToolRenderers } from "./ui-renderers.js";

export type ExtensionHandler<Name extends ExtensionEventName> = (
  event: ExtensionEvents[Name]["event"],
  context: ExtensionContext,
) => ExtensionEvents[Name]["result"] | undefined | void | Promise<ExtensionEvents[Name]["result"] | undefined | void>;

export interface ExtensionCommand {
  readonly description?: string;
  /** A returned string is sent as a prompt. */
  readonly handler: (context: CommandContext) => string | void | Promise<string | void>;
}

export interface ExtensionApi {
  on<Name extends ExtensionEventName>(event: Name, handler: ExtensionHandler<Name>): void;
  /** Streaming: queued and appended after the turn. Idle with `triggerTurn`: appended, and a turn runs. Idle: appended. */
  sendMessage(message: CustomMessageInput, triggerTurn?: boolean): void;
  /** State of the extension, on the branch, never shown to the model. */
  appendEntry(customType: string, data?: unknown): EntryId;
  registerCommand(name: string, command: ExtensionCommand): void;
  registerTool(tool: (Tool & ToolRenderers) | ToolDefinition): void;
  registerMessageRenderer(customType: string, renderer: MessageRenderer): void;
  registerCustomMessageRenderer(customType: string, renderer: MessageRenderer): void;
  /** Shows custom entries of this type in the conversation. */
  registerEntryRenderer(customType: string, renderer: EntryRenderer): void;
  registerShortcut(key: string, command: ExtensionCommand): void;
}

/** The easy way to write a tool in an extension: a JSON Schema and a function. */
export interface ToolDefinition extends ToolRenderers {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** True: it changes nothing outside the conversation, and it does not ask before it runs. */
  readonly readOnly?: boolean;
  readonly permission?: Tool["permission"];
  readonly timeLimit?: Tool["timeLimit"];
  /** Gives a result; a text is one of one block. */
  readonly execute: JsonToolSpec["execute"];
  readonly onSession?: Tool["onSession"];
}

export interface ExecOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly killed: boolean;
}

export interface NavigateOptions {
  /**
   * `selected` (default): as a user selects in the tree. Choosing a message that starts a turn goes right before it,
   * and its text is handed back for the editor. `exact`: the entry itself is the new leaf, whatever it is.
   */
  readonly place?: "selected" | "exact";
  readonly summarize?: boolean;
  readonly customInstructions?: string;
  readonly replaceInstructions?: boolean;
  readonly label?: string;
  /** Why the move is made, kept in the session. Default: the operation, for example `tree`. */
  readonly cause?: MoveCause;
}

export interface NavigateResult {
  readonly kind: "done" | "unchanged" | "cancelled" | "aborted";
  /** Nothing moved, because of an extension or because it was stopped. */
  readonly cancelled: boolean;
  /** The extension whose handler cancelled it. */
  readonly cancelledBy?: string;
  readonly aborted?: boolean;
  readonly editorText?: string;
  readonly summaryEntry?: BranchSummaryEntry;
}

export interface ForkResult {
  readonly kind: "done" | "cancelled" | "aborted";
  readonly selectedText: string;
  readonly cancelled: boolean;
  /** The extension whose handler cancelled it. */
  readonly cancelledBy?: string;
  readonly inPlace: boolean;
  readonly newSessionFile?: string;
}

/** A session without `prompt`: an extension sends messages instead. */
export interface LimitedSession {
  readonly isStreaming: boolean;
  sendMessage(message: CustomMessageInput, triggerTurn?: boolean): void;
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

export interface ExtensionContext {
  readonly cwd: string;
  readonly ui: ExtensionUi;
  /** Whether a user can answer `ui`. */
  readonly hasUi: boolean;
  readonly session: LimitedSession;
  readonly sessionManager: ReadOnlySession;
  readonly modelRegistry: Pick<ModelRegistry, "all" | "available" | "resolve" | "apiKey" | "open">;
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

export interface CommandContext extends ExtensionContext {
  /** Everything after the command's name. */
  readonly args: string;
}

export type ExtensionFactory = (bough: ExtensionApi) => void | Promise<void>;
