/** What an export contains and how it is masked. */
export const EXPORT_FORMATS = ["html", "markdown", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * `path`: from the first entry to the position. `branch`: where the current branch begins and everything below it.
 * `subtree`: an entry and everything below it. `all`: every branch.
 */
export const EXPORT_SCOPES = ["path", "branch", "subtree", "all"] as const;
export type ExportScope = (typeof EXPORT_SCOPES)[number];

/** What is removed from every entry before anything is written. */
export interface LeaveOutOptions {
  readonly images: boolean;
  readonly toolOutputs: boolean;
  readonly systemPrompts: boolean;
}

/** Everything a staged export depends on. */
export interface StageOptions {
  readonly scope: Exclude<ExportScope, "branch">;
  /** Numbers of findings that are kept; `all` masks nothing. */
  readonly keep: ReadonlySet<number> | "all";
  /** Keep paths of the home folder as they are, instead of `~`. */
  readonly keepHome: boolean;
  readonly leaveOut: LeaveOutOptions;
}
