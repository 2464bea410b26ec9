import { Kind } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import { idAndParentIn } from "./recover-line.js";
import type { SessionIndex } from "./session-index.js";

/** Whether a log still holds what was indexed: the last entry of its certain part is where it was. */
export function isSameLog(log: Log, index: SessionIndex): boolean {
  const { tree } = index;
  for (let n = tree.count - 1; n >= 0; n--) {
    const offset = tree.offsetOf(n);
    if (offset < 0 || offset >= log.certain || tree.kindOf(n) === Kind.unreadable) continue;
    const bytes = log.readAt(offset, tree.lengthOf(n));
    return index.isReadable(n) || idAndParentIn(bytes)?.id === tree.ids.textOf(n);
  }
  return true;
}
