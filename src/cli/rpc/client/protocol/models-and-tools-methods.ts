// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";

/** Models and tools. */
export interface ModelsAndToolsMethods {
  /** Sets the model for the next step: provider/model, or any unambiguous part of a model name. */
  readonly setModel: {
    readonly params: {
      readonly model: string;
    };
    readonly result: AnswerShapes["ModelInUse"];
  };
  /** Sets the thinking level, from the next step on. */
  readonly setThinkingLevel: {
    readonly params: {
      readonly level: "off" | "minimal" | "low" | "medium" | "high";
    };
    readonly result: AnswerShapes["ModelInUse"];
  };
  /** Every known model, and whether it can be used now. `discover` looks for local servers first. */
  readonly listModels: {
    readonly params: {
      readonly discover?: boolean;
    };
    readonly result: readonly AnswerShapes["ModelInfo"][];
  };
  /** Sets the tools the model may use, from its next step on. */
  readonly setTools: {
    readonly params: {
      readonly tools: readonly string[];
    };
    readonly result: {
      readonly tools: readonly string[];
    };
  };
  /** Every tool, and whether the model may use it. */
  readonly listTools: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: readonly {
      readonly name: string;
      readonly description: string;
      readonly readOnly: boolean;
      readonly enabled: boolean;
    }[];
  };
  /** Sets what tools may do: only read and plan, ask first, edit files in the folder, or anything in the folder. */
  readonly setPermissionMode: {
    readonly params: {
      readonly mode: "plan" | "ask" | "edits" | "auto" | "read-only";
    };
    readonly result: {
      readonly mode: "plan" | "ask" | "edits" | "auto" | "read-only";
    };
  };
  /** Extension commands and prompt templates that can be typed after a slash. */
  readonly listCommands: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: readonly {
      readonly name: string;
      readonly kind: "extension" | "template";
      readonly description?: string;
    }[];
  };
}
