// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Models and tools: what the methods take and answer. */
import type { ModelInfo, ModelInUse } from "./answers.js";

export interface SetModelParams {
  readonly model: string;
}

export interface SetThinkingLevelParams {
  readonly level: "off" | "minimal" | "low" | "medium" | "high";
}

export interface ListModelsParams {
  readonly discover?: boolean;
}

export interface SetToolsParams {
  readonly tools: readonly string[];
}

export interface SetToolsResult {
  readonly tools: readonly string[];
}

export interface SetPermissionModeParams {
  readonly mode: "plan" | "ask" | "edits" | "auto" | "read-only";
}

export interface SetPermissionModeResult {
  readonly mode: "plan" | "ask" | "edits" | "auto" | "read-only";
}

/** Models and tools. */
export interface ModelsAndToolsMethods {
  /** Sets the model for the next step: provider/model, or any unambiguous part of a model name. */
  readonly setModel: { readonly params: SetModelParams; readonly result: ModelInUse };
  /** Sets the thinking level, from the next step on. */
  readonly setThinkingLevel: { readonly params: SetThinkingLevelParams; readonly result: ModelInUse };
  /** Every known model, and whether it can be used now. `discover` looks for local servers first. */
  readonly listModels: { readonly params: ListModelsParams; readonly result: readonly ModelInfo[] };
  /** Sets the tools the model may use, from its next step on. */
  readonly setTools: { readonly params: SetToolsParams; readonly result: SetToolsResult };
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
  readonly setPermissionMode: { readonly params: SetPermissionModeParams; readonly result: SetPermissionModeResult };
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
