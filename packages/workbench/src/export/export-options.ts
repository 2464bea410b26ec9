/** What an export contains and how it is masked. */
export const EXPORT_FORMATS = ["html", "markdown", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * `path`: from the first entry to the current position. `branch`: the start of the current branch and everything below
 * it. `subtree`: an entry and everything below it. `all`: every branch.
 */
export const EXPORT_SCOPES = ["path", "branch", "subtree", "all"] as const;
export type ExportScope = (typeof EXPORT_SCOPES)[number];

/** The scopes of a staged export: `branch` is staged as the `subtree` where the branch begins. */
export type StagedScope = Exclude<ExportScope, "branch">;

/** What is removed from every entry before anything is written. */
export interface LeaveOutOptions {
  readonly images: boolean;
  readonly toolOutputs: boolean;
  readonly systemPrompts: boolean;
}

/** Options that determine the contents of a staged export. */
export interface StageOptions {
  readonly scope: StagedScope;
  /** Numbers of findings to leave unmasked; `all` masks nothing. */
  readonly keep: ReadonlySet<number> | "all";
  /** Do not shorten the home folder to `~`. */
  readonly keepHome: boolean;
  readonly leaveOut: LeaveOutOptions;
}
