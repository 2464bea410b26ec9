/** The source of facts about entries. */
import type { BranchIndex, TreeSource } from "../../tree/index.js";

export interface FactsSource {
  readonly source: TreeSource;
  readonly branches: BranchIndex;
}
