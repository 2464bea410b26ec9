/** A whole tree from the roots down, children oldest first, without a stack (keeps I9). */
import type { TreeIndex } from "../../tree/index.js";

interface TreeVisitor {
  /** Every entry below `n` comes between these two. */
  enter(n: number): void;
  leave(n: number): void;
}

export function walkTree(tree: TreeIndex, visitor: TreeVisitor): void {
  for (let n = tree.firstChildOf(-1); n >= 0; ) {
    visitor.enter(n);
    let next = tree.firstChildOf(n);
    while (next < 0) {
      visitor.leave(n);
      next = tree.nextSiblingOf(n);
      if (next >= 0) break;
      n = tree.parentOf(n);
      if (n < 0) return;
    }
    n = next;
  }
}
