/** Where facts about entries come from. */
import type { BranchIndex, TreeSource } from "../../tree/index.js";

export interface FactsSource {
  readonly source: TreeSource;
  readonly branches: BranchIndex;
}
