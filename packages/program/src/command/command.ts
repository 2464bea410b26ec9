/** What a slash command is: data that every front end shows, completes and runs the same way. */

import type { AgentSession } from "@bough/agent/agent/index.js";
import type { Permissions } from "@bough/agent/tool/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import type { Notice } from "@bough/session/text/index.js";
import type { MoveQuestion } from "@bough/session/view/internal.js";
import type { ConflictChoice, MergeChoice, RestorePlan } from "@bough/workbench/checkpoint/index.js";
import type { AgentPlaces } from "@bough/workbench/interop/index.js";
import type { SessionSync } from "@bough/workbench/store/internal.js";
import type { CommandSettings } from "./command-settings.js";
import type { LoginUi } from "./login-ui.js";

export type { MoveQuestion };

export type CommandGroup = "tree" | "files" | "context" | "session" | "model" | "program";

export interface Completion {
  /** What is inserted. */
  readonly value: string;
  readonly label?: string;
  readonly description?: string;
}

export interface Command {
  /** Without its slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: CommandGroup;
  /** What comes after the name: "<id|label|#n|->", "[words]", "". */
  readonly usage: string;
  /** One line for lists, without a full stop. */
  readonly summary: string;
  /** Sentences for help and the reference: what happens without arguments, what it never does. */
  readonly details: string;
  /** Completions for the arguments. */
  complete?(context: CommandContext, typed: string): readonly Completion[] | Promise<readonly Completion[]>;
  /** Why it cannot be used now; undefined if it can. */
  unavailable?(context: CommandContext): string | Notice | undefined;
  run(context: CommandContext, args: string): Promise<CommandOutcome>;
}

/** The outcome of a command. The message and the hint are for people, `data` is for programs. */
export type CommandOutcome =
  | ({ readonly kind: "done"; readonly data?: unknown; readonly editorText?: string } & Partial<Notice>)
  /** Nothing changed, and why. A failure has a code; having nothing to do is not a failure. */
  | ({ readonly kind: "unchanged" } & Notice)
  /** A screen was opened and did the rest. */
  | { readonly kind: "shown" }
  | { readonly kind: "quit" };

/** Screens a front end may have. Without one, the command prints text. */
export type ScreenRequest =
  | { readonly screen: "tree"; readonly select?: EntryId; readonly search?: string; readonly purpose?: "move" | "fork" }
  | { readonly screen: "fork" }
  | { readonly screen: "attempts" }
  | { readonly screen: "branches"; readonly filter?: string; readonly purpose?: "compare" | "merge" }
  | { readonly screen: "compare"; readonly a: EntryId; readonly b: EntryId }
  | ({ readonly screen: "diff" } & DiffEnds)
  | { readonly screen: "cherry-pick"; readonly ids: readonly EntryId[] }
  | { readonly screen: "merge"; readonly tipId: EntryId }
  | { readonly screen: "context" }
  | { readonly screen: "compact"; readonly instructions?: string }
  | { readonly screen: "resume"; readonly search?: string }
  /** Sessions of other agents. */
  | { readonly screen: "import"; readonly search?: string }
  | { readonly screen: "search"; readonly words: string }
  | { readonly screen: "session" }
  | { readonly screen: "agent" }
  | { readonly screen: "model"; readonly search?: string }
  | { readonly screen: "thinking" }
  | { readonly screen: "settings"; readonly name?: string }
  /** With a name, opens that server directly. */
  | { readonly screen: "mcp"; readonly name?: string }
  | { readonly screen: "export"; readonly file?: string }
  | { readonly screen: "help"; readonly topic?: string };

/** Which states of files are compared. */
export interface DiffEnds {
  /** Null is before the first entry. */
  readonly from: EntryId | null;
  readonly to: EntryId | null | "disk";
  readonly title: string;
}

export type MoveAnswer =
  | { readonly kind: "none" }
  | { readonly kind: "summary"; readonly instructions?: string }
  /** Not now, and do not ask again until the setting changes. */
  | { readonly kind: "never" }
  | { readonly kind: "stay" };

/** What a move, or a restore without one, would do to files. */
export interface FilesQuestion {
  /**
   * `undo`: the last run is undone. `undo-command`: a shell command of the user is. `undo-merge`: a merge or a
   * cherry-pick is. `restore`: the conversation stays. `merge`, `cherry-pick`: changes of another branch are brought.
   */
  readonly about: "move" | "undo" | "undo-command" | "undo-merge" | "restore" | "merge" | "cherry-pick";
  readonly plan: RestorePlan;
  /** The title of the target, and whether its files are those from before it, as for a prompt that is sent again. */
  readonly target: string;
  readonly before?: boolean;
  /** The branch whose end is the target, if a branch was named. */
  readonly branch?: { readonly number: number; readonly name: string } | undefined;
}

export type FilesAnswer = "both" | "conversation" | "files" | "stay";

/** Something that takes a while. */
export interface LongWork<Result> {
  /** The current step, evaluated on every redraw: "Importing 41 MB". */
  readonly title: () => string;
  /** What stopping it means: "nothing is imported". */
  readonly stops: string;
  readonly work: (signal: AbortSignal) => Promise<Result>;
}

export type LongWorkOutcome<Result> = { readonly kind: "done"; readonly value: Result } | { readonly kind: "stopped" };

/** What will happen, for the user to confirm. */
export interface ConfirmRequest {
  readonly title: string;
  /** Each on its own line. */
  readonly lines: readonly string[];
  /** "write it", "leave it". */
  readonly yes: string;
  readonly no: string;
}

/** A question whose answer is not echoed. */
export interface SecretQuestion {
  readonly title: string;
  /** Where it goes. */
  readonly note: string;
}

/** The front end a command runs in. */
export interface FrontEnd {
  /** Screens that can be opened here; empty in RPC and in print mode. */
  readonly screens: ReadonlySet<ScreenRequest["screen"]>;
  open(request: ScreenRequest): Promise<void>;
  /** Asks about a summary. Not called where `canAsk` is false: then nothing is summarized unless it was asked for. */
  readonly canAsk: boolean;
  askBeforeMove(question: MoveQuestion): Promise<MoveAnswer>;
  /**
   * After a summary failed: what went wrong is in the message. The user may go without one, try again, or stay. A merge
   * brings turns instead.
   */
  askFailed(message: string, instead?: "turns"): Promise<"without" | "again" | "stay">;
  /** Asks whether to restore files too. Absent if it cannot ask: then the settings decide, and `ask` leaves files alone. */
  askFiles?(question: FilesQuestion): Promise<FilesAnswer>;
  /**
   * Asks about files that were changed outside of the session, or on both sides of a merge, by path. Undefined: stop,
   * nothing changes. `markers` only where the conflict has both versions of the lines.
   */
  askConflicts?(question: FilesQuestion): Promise<Readonly<Record<string, MergeChoice>> | undefined>;
  /**
   * Asks about files that decide what runs: `take` restores them too. Undefined: stop, nothing changes. Absent if it cannot
   * ask: then they stay.
   */
  askProtected?(question: FilesQuestion): Promise<ConflictChoice | undefined>;
  tell(notice: Notice, level?: "info" | "good" | "warning" | "error"): void;
  /** Puts text into the user's editor. */
  setEditorText(text: string): void;
  copy(text: string): void;
  /** The key for an action, as help writes it: "Esc"; "" without one. Absent if the front end has no key map. */
  keyHint?(actionId: string): string;
  /** Asks. Absent if it cannot ask. */
  confirm?(request: ConfirmRequest): Promise<boolean>;
  /** Asks for a text that is not shown while it is typed; undefined if the user cancels. Absent if it cannot. */
  askSecret?(question: SecretQuestion): Promise<string | undefined>;
  /**
   * Gives the terminal to a program, such as another agent's login, and returns its exit code. Absent if there is no
   * terminal to give.
   */
  runInTerminal?(command: readonly string[]): Promise<number>;
  /** Runs it with visible progress that the user can stop. Absent without a user. */
  watch?<Result>(work: LongWork<Result>): Promise<LongWorkOutcome<Result>>;
  /** Hints that are shown once; absent if a front end has none. */
  readonly hints?: { showAgain(): void };
}

export interface CommandContext {
  readonly agent: AgentSession;
  readonly front: FrontEnd;
  /** Where new session files go and sessions are listed. */
  readonly sessionDir: string;
  readonly cwd: string;
  readonly home: string;
  /** Of the program, as other agents are told. */
  readonly version?: string | undefined;
  readonly now: () => Date;
  readonly settings: CommandSettings;
  /** Dialogs, for commands that ask more than one thing; absent if no one can be asked. */
  readonly ui?: LoginUi | undefined;
  /** What is allowed without asking; absent if the program decides that on its own. */
  readonly permissions?: Permissions | undefined;
  /** Where other agents keep their sessions (default: this user's folders). */
  readonly agentPlaces?: AgentPlaces | undefined;
  /** The session and its store; absent if the program does not sync. */
  readonly sync?: SessionSync | undefined;
  /** Commands of extensions: the second table. */
  readonly extra: readonly Command[];
}
