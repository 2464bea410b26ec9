/** Entries by their label. */
import type { EntryId } from "../entry/index.js";
import type { SessionManager } from "./session-manager.js";

/** The entries that have this label, newest label first: more than one if copies were united that both used it. */
export function labelHolders(session: SessionManager, label: string): readonly EntryId[] {
  const { tree, labelTargets } = session.getSource();
  const holders = [...(labelTargets?.() ?? [])].filter(
    (id) => session.getLabel(id) === label && tree.ids.findText(id) >= 0,
  );
  return holders.reverse();
}
