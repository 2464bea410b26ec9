// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Program: what the methods take and answer. */
import type { Setting } from "./answers.js";

export interface InitializeParams {
  /** The version the client was written for. */
  readonly protocolVersion?: number;
  readonly client?: {
    readonly name: string;
    readonly version?: string;
  };
}

export interface InitializeResult {
  readonly protocolVersion: number;
  /** Of the program. */
  readonly version: string;
  readonly capabilities: {
    readonly methods: readonly string[];
    readonly events: readonly string[];
    /** What the program may ask the client. */
    readonly questions: readonly string[];
    readonly limits: {
      /** Longest line the program sends. */
      readonly lineBytes: number;
      /** Longest line the program takes. */
      readonly requestBytes: number;
      /** Highest `limit` of a page. */
      readonly pageItems: number;
    };
  };
}

export interface SetSettingParams {
  readonly name: string;
  readonly value?: unknown;
}

export interface SetSettingResult {
  readonly file: string;
}

/** Program. */
export interface ProgramMethods {
  /** Agrees on the version of the protocol and answers what this program can do. Optional, and possible at any time. */
  readonly initialize: { readonly params: InitializeParams; readonly result: InitializeResult };
  /** Every setting, its value, and which file it comes from. */
  readonly getSettings: { readonly params: Readonly<Record<string, never>>; readonly result: readonly Setting[] };
  /** Changes a setting in the user's own file; without a value, removes it. Takes effect at the next start. */
  readonly setSetting: { readonly params: SetSettingParams; readonly result: SetSettingResult };
}
