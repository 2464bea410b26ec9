// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";
import type { PartShapes } from "./parts.js";

/** Plans. */
export interface PlansMethods {
  /** What `navigateTree` would do. */
  readonly "plan.navigateTree": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly targetId: string;
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["NavigatePlan"];
  };
  /** What `switchTo` would do. */
  readonly "plan.switchTo": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
      readonly to?: "entry" | "end";
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["NavigatePlan"];
  };
  /** What `pop` would do. */
  readonly "plan.pop": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId?: string;
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["NavigatePlan"];
  };
  /** What `branchHere` would do. */
  readonly "plan.branchHere": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["NavigatePlan"];
  };
  /** What `fork` would copy. */
  readonly "plan.fork": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    };
    readonly result: {
      /** Entry ID. */
      readonly entryId: string;
      readonly selectedText: string;
      /** Where the new session ends; null if it starts empty. */
      readonly leafId: string | null;
    };
  };
  /** What `clone` would copy: the path to this leaf. */
  readonly "plan.clone": {
    readonly params: Readonly<Record<string, never>>;
    readonly result: {
      /** Entry ID. */
      readonly leafId: string;
    };
  };
  /** What `compact` would summarize and keep. */
  readonly "plan.compact": {
    readonly params: Readonly<Record<string, never>>;
    readonly result:
      | {
          readonly kind: "nothing";
        }
      | {
          readonly kind: "compact";
          readonly summarizes: AnswerShapes["PlannedEntries"];
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
  };
  /** What `undoCompaction` would do. */
  readonly "plan.undoCompaction": {
    readonly params: Readonly<Record<string, never>>;
    readonly result: AnswerShapes["UndoneCompaction"];
  };
  /** What `merge` would bring here. */
  readonly "plan.merge": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly tipId: string;
    };
    readonly result:
      | {
          readonly kind: "unchanged";
        }
      | {
          readonly kind: "merge";
          /** Entry ID. */
          readonly tipId: string;
          readonly splitId: string | null;
          readonly brings: AnswerShapes["PlannedEntries"];
        };
  };
  /** What `cherryPick` would copy; tool calls and their results stay together. */
  readonly "plan.cherryPick": {
    readonly params: {
      readonly ids: readonly string[];
    };
    readonly result: {
      readonly copies: AnswerShapes["PlannedEntries"];
      readonly skipped: readonly AnswerShapes["SkippedPick"][];
    };
  };
  /** Whether `editContext` would change anything. */
  readonly "plan.editContext": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly targetId: string;
      readonly edit: AnswerShapes["ContextEdit"];
    };
    readonly result: {
      readonly kind: "edit" | "unchanged";
    };
  };
  /** Whether `pin` would change anything. */
  readonly "plan.pin": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    };
    readonly result: AnswerShapes["PinPlan"];
  };
  /** Whether `unpin` would change anything. */
  readonly "plan.unpin": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    };
    readonly result: AnswerShapes["PinPlan"];
  };
}
