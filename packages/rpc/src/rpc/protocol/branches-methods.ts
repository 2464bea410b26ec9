// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Branches: what the methods take and answer. */
import type {
  CherryPickOutcome,
  CompactOutcome,
  ContextEdit,
  ForkResult,
  MergeOutcome,
  NavigateResult,
  UndoneCompaction,
  Written,
} from "./answers.js";
import type { MoveFiles, MoveOptions } from "./parts.js";

export interface NavigateTreeParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly targetId: string;
}

export interface SwitchToParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
  readonly to?: "entry" | "end";
}

export interface PopParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId?: string;
}

export interface SpawnBranchParams {
  readonly entryId: string | null;
}

export interface SpawnBranchResult {
  readonly agent: string;
}

export interface CloseAgentParams {
  readonly agent: string;
}

export type UndoMoveParams = MoveFiles;

export type RedoMoveParams = MoveFiles;

export interface ForkParams extends MoveFiles {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface BranchHereParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface BranchInPlaceParams {
  readonly parentId: string | null;
  readonly summary?: string;
}

export interface CompactParams {
  readonly customInstructions?: string;
}

export interface CherryPickParams {
  readonly ids: readonly string[];
}

export interface MergeParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly tipId: string;
  /** Default true; false copies the turns themselves. */
  readonly summarize?: boolean;
  readonly customInstructions?: string;
}

export interface EditContextParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly targetId: string;
  readonly edit: ContextEdit;
}

export interface PinParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface UnpinParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface LabelParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly targetId: string;
  readonly label?: string;
}

export interface AppendEntryParams {
  readonly customType: string;
  readonly data?: unknown;
}

/** Branches. */
export interface BranchesMethods {
  /** Moves in the session, like selecting an entry in the tree. */
  readonly navigateTree: { readonly params: NavigateTreeParams; readonly result: NavigateResult };
  /** Goes to exactly that entry, or to the end of the branch it is on. */
  readonly switchTo: { readonly params: SwitchToParams; readonly result: NavigateResult };
  /** Goes back to the previous user message, or to an entry, with a summary of what you leave. */
  readonly pop: { readonly params: PopParams; readonly result: NavigateResult };
  /** Starts a second agent at an entry, or at the very start (null). Its prompts grow a branch of their own while the first agent continues. Give its name as `agent` to `prompt`, `steer`, `followUp`, `abort` and `whenIdle`; its events come as `agent_event`. */
  readonly spawnBranch: { readonly params: SpawnBranchParams; readonly result: SpawnBranchResult };
  /** Stops an agent that `spawnBranch` started. Its branch stays in the session. */
  readonly closeAgent: { readonly params: CloseAgentParams; readonly result: null };
  /** Undoes the last run, shell command or move; again, one more. */
  readonly undoMove: { readonly params: UndoMoveParams; readonly result: NavigateResult };
  /** Redoes what was undone last. */
  readonly redoMove: { readonly params: RedoMoveParams; readonly result: NavigateResult };
  /** Creates a session file from the path before a user message and switches to it. */
  readonly fork: { readonly params: ForkParams; readonly result: ForkResult };
  /** Starts a new branch in this session, before a user message or after any other entry. */
  readonly branchHere: { readonly params: BranchHereParams; readonly result: ForkResult };
  /** Goes to an exact entry, or before the first one, with a summary written by the client. */
  readonly branchInPlace: { readonly params: BranchInPlaceParams; readonly result: null };
  /** Creates a session file with the whole path and switches to it. */
  readonly clone: { readonly params: Readonly<Record<string, never>>; readonly result: ForkResult };
  /** Replaces the older part of the path with a summary. */
  readonly compact: { readonly params: CompactParams; readonly result: CompactOutcome };
  /** Goes to just before the last compaction of the path. */
  readonly undoCompaction: { readonly params: Readonly<Record<string, never>>; readonly result: UndoneCompaction };
  /** Copies entries from other branches to the leaf; tool calls and their results stay together. */
  readonly cherryPick: { readonly params: CherryPickParams; readonly result: CherryPickOutcome };
  /** Merges what came after the split on another branch, as a summary or as turns. */
  readonly merge: { readonly params: MergeParams; readonly result: MergeOutcome };
  /** Changes what the model sees of an entry on the path; the file keeps the original. */
  readonly editContext: { readonly params: EditContextParams; readonly result: Written };
  /** Pins an entry, so that every compaction keeps its text. */
  readonly pin: { readonly params: PinParams; readonly result: Written };
  /** Unpins an entry. */
  readonly unpin: { readonly params: UnpinParams; readonly result: Written };
  /** Lists the pinned entries of the path. */
  readonly getPins: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: readonly {
      /** Entry ID. */
      readonly id: string;
      readonly text: string;
    }[];
  };
  /** Labels an entry; without a label, removes its label. */
  readonly label: { readonly params: LabelParams; readonly result: Written };
  /** Stores client state on the branch; the model never sees it. */
  readonly appendEntry: { readonly params: AppendEntryParams; readonly result: Written };
}
