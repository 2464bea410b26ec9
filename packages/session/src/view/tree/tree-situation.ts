/** What happens around a tree while the user views it. */
export interface TreeSituation {
  /** `fork`: the user chooses a prompt for a new session, and nothing moves in this one. Default: `move`. */
  readonly purpose?: "move" | "fork";
  /** What is running, as a sentence, such as "Agent is working.": browsing is possible, moving is not. */
  readonly busy?: string | undefined;
  /** Another process has the session open: browsing is possible, moving is not. */
  readonly readOnly?: boolean;
  /** Entries that another process added and that are not shown yet. */
  readonly newElsewhere?: number;
  /** Numbers of the unreadable lines. */
  readonly damagedLines?: readonly number[];
  /** Files on disk that differ from those of the leaf. */
  readonly differingFiles?: number;
  /** What happens to files in a move; omitted if they are not recorded. */
  readonly files?: "ask" | "follow" | "stay";
  /** The file is still being read. */
  readonly reading?: boolean;
}
