// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Plans: what the methods take and answer. */
import type { ContextEdit, NavigatePlan, PinPlan, PlannedEntries, SkippedPick, UndoneCompaction } from "./answers.js";
import type { MoveOptions } from "./parts.js";

export interface PlanNavigateTreeParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly targetId: string;
}

export interface PlanSwitchToParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
  readonly to?: "entry" | "end";
}

export interface PlanPopParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId?: string;
}

export interface PlanBranchHereParams extends MoveOptions {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface PlanForkParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface PlanForkResult {
  /** Entry ID. */
  readonly entryId: string;
  readonly selectedText: string;
  /** Where the new session ends; null if it starts empty. */
  readonly leafId: string | null;
}

export interface PlanCloneResult {
  /** Entry ID. */
  readonly leafId: string;
}

export type PlanCompactResult =
  | {
      readonly kind: "nothing";
    }
  | {
      readonly kind: "compact";
      readonly summarizes: PlannedEntries;
      /** Entry ID. */
      readonly firstKeptEntryId: string;
      readonly tokensBefore: number;
      readonly previousSummary?: string;
      /** The cut goes through a turn. */
      readonly splitTurn: boolean;
      readonly readFiles: readonly string[];
      readonly modifiedFiles: readonly string[];
      /** Texts that stay verbatim. */
      readonly pins: readonly string[];
    };

export interface PlanMergeParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly tipId: string;
}

export type PlanMergeResult =
  | {
      readonly kind: "unchanged";
    }
  | {
      readonly kind: "merge";
      /** Entry ID. */
      readonly tipId: string;
      readonly splitId: string | null;
      readonly brings: PlannedEntries;
    };

export interface PlanCherryPickParams {
  readonly ids: readonly string[];
}

export interface PlanCherryPickResult {
  readonly copies: PlannedEntries;
  readonly skipped: readonly SkippedPick[];
}

export interface PlanEditContextParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly targetId: string;
  readonly edit: ContextEdit;
}

export interface PlanEditContextResult {
  readonly kind: "edit" | "unchanged";
}

export interface PlanPinParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface PlanUnpinParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

/** Plans. */
export interface PlansMethods {
  /** What `navigateTree` would do. */
  readonly "plan.navigateTree": { readonly params: PlanNavigateTreeParams; readonly result: NavigatePlan };
  /** What `switchTo` would do. */
  readonly "plan.switchTo": { readonly params: PlanSwitchToParams; readonly result: NavigatePlan };
  /** What `pop` would do. */
  readonly "plan.pop": { readonly params: PlanPopParams; readonly result: NavigatePlan };
  /** What `branchHere` would do. */
  readonly "plan.branchHere": { readonly params: PlanBranchHereParams; readonly result: NavigatePlan };
  /** What `fork` would copy. */
  readonly "plan.fork": { readonly params: PlanForkParams; readonly result: PlanForkResult };
  /** What `clone` would copy: the path to this leaf. */
  readonly "plan.clone": { readonly params: Readonly<Record<string, never>>; readonly result: PlanCloneResult };
  /** What `compact` would summarize and keep. */
  readonly "plan.compact": { readonly params: Readonly<Record<string, never>>; readonly result: PlanCompactResult };
  /** What `undoCompaction` would do. */
  readonly "plan.undoCompaction": {
    readonly params: Readonly<Record<string, never>>;
    readonly result: UndoneCompaction;
  };
  /** What `merge` would bring here. */
  readonly "plan.merge": { readonly params: PlanMergeParams; readonly result: PlanMergeResult };
  /** What `cherryPick` would copy; tool calls and their results stay together. */
  readonly "plan.cherryPick": { readonly params: PlanCherryPickParams; readonly result: PlanCherryPickResult };
  /** Whether `editContext` would change anything. */
  readonly "plan.editContext": { readonly params: PlanEditContextParams; readonly result: PlanEditContextResult };
  /** Whether `pin` would change anything. */
  readonly "plan.pin": { readonly params: PlanPinParams; readonly result: PinPlan };
  /** Whether `unpin` would change anything. */
  readonly "plan.unpin": { readonly params: PlanUnpinParams; readonly result: PinPlan };
}
