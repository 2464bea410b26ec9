/** Finds entries by their label. */
import type { EntryId } from "../entry/index.js";
import type { SessionManager } from "./session-manager.js";

/** The entries with this label, most recently labeled first. United copies can have the same label on several entries. */
export function labelHolders(session: SessionManager, label: string): readonly EntryId[] {
  const { tree, labelTargets } = session.getSource();
  const holders = [...(labelTargets?.() ?? [])].filter(
    (id) => session.getLabel(id) === label && tree.ids.findText(id) >= 0,
  );
  return holders.reverse();
}
