/** What continues around a tree while someone looks at it. */
export interface TreeSituation {
  /** `fork`: a prompt is chosen for a new session, and nothing moves in this one. `move` by default. */
  readonly purpose?: "move" | "fork";
  /** The agent works: looking is free, moving is off. */
  readonly busy?: boolean;
  /** Another process has the session: looking is free, moving is off. */
  readonly readOnly?: boolean;
  /** Entries another process added that are not shown yet. */
  readonly newElsewhere?: number;
  /** Numbers of the lines that could not be read. */
  readonly damagedLines?: readonly number[];
  /** Files on disk that are not those of the leaf. */
  readonly differingFiles?: number;
  /** What files do in a move; omitted if they are not recorded. */
  readonly files?: "ask" | "follow" | "stay";
  /** The file is still being read. */
  readonly reading?: boolean;
}
