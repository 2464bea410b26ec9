import type ts from "typescript";

/** The declarations of all doors. */
export function doorProgram(): ts.Program;

/** Page by file name, and the values that have no comment. */
export function apiPages(program: ts.Program): {
  readonly pages: ReadonlyMap<string, string>;
  readonly silent: readonly string[];
};
