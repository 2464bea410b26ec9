import type ts from "typescript";

/** The declarations of all doors. */
export function doorProgram(): ts.Program;

/** Pages by file name, and the exported values without a comment. */
export function apiPages(program: ts.Program): {
  readonly pages: ReadonlyMap<string, string>;
  readonly silent: readonly string[];
};

/** What most programs and extensions need. */
export const MOST_USED: readonly (readonly [door: string, name: string, what: string])[];
