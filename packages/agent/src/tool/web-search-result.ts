export interface WebSource {
  readonly url: string;
  readonly title: string;
}

/** What a web search found. */
export interface WebSearchResult {
  readonly text: string;
  readonly sources: readonly WebSource[];
  /** Who searched: `provider/model`. */
  readonly by: string;
}
