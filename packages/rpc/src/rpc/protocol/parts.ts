// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Fields that many methods have. */

export interface MoveOptions {
  /** Whether to restore files too. Default: the setting `files.onMove`. */
  readonly files?: "follow" | "stay";
  /** Files that were changed outside of the session: keep them (default), or take those of the new place. For all, or by path. */
  readonly conflicts?: "keep" | "take" | Readonly<Record<string, "keep" | "take">>;
  /** Files that decide what runs, such as `.vscode`: keep them (default), or take those of the new place. */
  readonly protected?: "keep" | "take";
  /** Summarize what you leave. */
  readonly summarize?: boolean;
  /** What the summary should focus on. */
  readonly customInstructions?: string;
  /** Replace the default instructions. */
  readonly replaceInstructions?: boolean;
  /** Label for the summary, or for the target. */
  readonly label?: string;
}

export interface MoveFiles {
  /** Whether to restore files too. Default: the setting `files.onMove`. */
  readonly files?: "follow" | "stay";
  /** Files that were changed outside of the session: keep them (default), or take those of the new place. For all, or by path. */
  readonly conflicts?: "keep" | "take" | Readonly<Record<string, "keep" | "take">>;
  /** Files that decide what runs, such as `.vscode`: keep them (default), or take those of the new place. */
  readonly protected?: "keep" | "take";
}

export interface Page {
  /** How many to skip. */
  readonly offset?: number;
  /** How many at most; fewer come if they are long. */
  readonly limit?: number;
}

export interface Paged {
  readonly total: number;
  readonly offset: number;
  /** The offset of the next page; null on the last one. */
  readonly next: number | null;
}
