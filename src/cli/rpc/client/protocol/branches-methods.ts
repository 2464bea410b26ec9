// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";
import type { PartShapes } from "./parts.js";

/** Branches. */
export interface BranchesMethods {
  /** Moves in the session, like selecting an entry in the tree. */
  readonly navigateTree: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly targetId: string;
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["NavigateResult"];
  };
  /** Goes to exactly that entry, or to the end of the branch it is on. */
  readonly switchTo: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
      readonly to?: "entry" | "end";
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["NavigateResult"];
  };
  /** Goes back to the previous user message, or to an entry, with a summary of what you leave. */
  readonly pop: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId?: string;
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["NavigateResult"];
  };
  /** Starts a second agent at an entry, or at the very start (null). Its prompts grow a branch of their own while the first agent continues. Give its name as `agent` to `prompt`, `steer`, `followUp`, `abort` and `whenIdle`; its events come as `agent_event`. */
  readonly spawnBranch: {
    readonly params: {
      readonly entryId: string | null;
    };
    readonly result: {
      readonly agent: string;
    };
  };
  /** Stops an agent that `spawnBranch` started. Its branch stays in the session. */
  readonly closeAgent: {
    readonly params: {
      readonly agent: string;
    };
    readonly result: null;
  };
  /** Undoes the last run, shell command or move; again, one more. */
  readonly undoMove: { readonly params: PartShapes["MoveFiles"]; readonly result: AnswerShapes["NavigateResult"] };
  /** Redoes what was undone last. */
  readonly redoMove: { readonly params: PartShapes["MoveFiles"]; readonly result: AnswerShapes["NavigateResult"] };
  /** Creates a session file from the path before a user message and switches to it. */
  readonly fork: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    } & PartShapes["MoveFiles"];
    readonly result: AnswerShapes["ForkResult"];
  };
  /** Starts a new branch in this session, before a user message or after any other entry. */
  readonly branchHere: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    } & PartShapes["MoveOptions"];
    readonly result: AnswerShapes["ForkResult"];
  };
  /** Goes to an exact entry, or before the first one, with a summary written by the client. */
  readonly branchInPlace: {
    readonly params: {
      readonly parentId: string | null;
      readonly summary?: string;
    };
    readonly result: null;
  };
  /** Creates a session file with the whole path and switches to it. */
  readonly clone: { readonly params: Readonly<Record<string, never>>; readonly result: AnswerShapes["ForkResult"] };
  /** Replaces the older part of the path with a summary. */
  readonly compact: {
    readonly params: {
      readonly customInstructions?: string;
    };
    readonly result: AnswerShapes["CompactOutcome"];
  };
  /** Goes to just before the last compaction of the path. */
  readonly undoCompaction: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: AnswerShapes["UndoneCompaction"];
  };
  /** Copies entries from other branches to the leaf; tool calls and their results stay together. */
  readonly cherryPick: {
    readonly params: {
      readonly ids: readonly string[];
    };
    readonly result: AnswerShapes["CherryPickOutcome"];
  };
  /** Merges what came after the split on another branch, as a summary or as turns. */
  readonly merge: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly tipId: string;
      /** Default true; false copies the turns themselves. */
      readonly summarize?: boolean;
      readonly customInstructions?: string;
    };
    readonly result: AnswerShapes["MergeOutcome"];
  };
  /** Changes what the model sees of an entry on the path; the file keeps the original. */
  readonly editContext: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly targetId: string;
      readonly edit: AnswerShapes["ContextEdit"];
    };
    readonly result: AnswerShapes["Written"];
  };
  /** Pins an entry, so that every compaction keeps its text. */
  readonly pin: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    };
    readonly result: AnswerShapes["Written"];
  };
  /** Unpins an entry. */
  readonly unpin: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    };
    readonly result: AnswerShapes["Written"];
  };
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
  readonly label: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly targetId: string;
      readonly label?: string;
    };
    readonly result: AnswerShapes["Written"];
  };
  /** Stores client state on the branch; the model never sees it. */
  readonly appendEntry: {
    readonly params: {
      readonly customType: string;
      readonly data?: unknown;
    };
    readonly result: AnswerShapes["Written"];
  };
}
