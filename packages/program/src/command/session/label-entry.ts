/** Labels an entry. A label is on one entry at a time, so it can be used as a reference. */
import type { EntryId } from "@bough/session/entry/index.js";
import { labelHolders } from "@bough/session/session/internal.js";
import { withoutControls } from "@bough/session/text/index.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { titleOfEntry } from "../entry-title.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

interface LabelRequest {
  readonly entryId: EntryId;
  /** Empty removes the label. */
  readonly label: string;
  /** If another entry has it: `refuse` (default) changes nothing and says which one. */
  readonly taken?: "refuse" | "move";
}

export function labelEntry(context: CommandContext, request: LabelRequest): Promise<CommandOutcome> {
  return asOutcome(() => {
    const { agent } = context;
    const { entryId, taken = "refuse" } = request;
    const label = withoutControls(request.label).replace(/\s+/g, " ").trim();
    const before = agent.session.getLabel(entryId);
    if (label === (before ?? "")) return unchanged(label === "" ? SENTENCES.noLabel : SENTENCES.sameLabel);
    if (label === "") {
      agent.label(entryId);
      return { kind: "done", message: SENTENCES.unlabelled(before ?? ""), data: { entryId, label: null } };
    }
    const holders = labelHolders(agent.session, label);
    const [holder] = holders;
    if (holder !== undefined && taken === "refuse") {
      return unchanged(SENTENCES.labelTaken(label, titleOfEntry(agent.session, holder)), "label-taken");
    }
    for (const other of holders) agent.label(other);
    agent.label(entryId, label);
    return { kind: "done", message: SENTENCES.labelled(label), data: { entryId, label } };
  });
}

/** Every label there is, newest first. Costs the label entries, not the session. */
export function labelsOf(
  session: CommandContext["agent"]["session"],
): { readonly id: EntryId; readonly label: string }[] {
  const { tree, entryAt, labelOf } = session.getSource();
  const found = new Map<EntryId, string>();
  for (const n of tree.labelEntries.toReversed()) {
    const entry = entryAt(n);
    if (entry.type !== "label" || found.has(entry.targetId)) continue;
    const target = tree.ids.findText(entry.targetId);
    const label = target < 0 ? undefined : labelOf(target)?.label;
    if (label !== undefined) found.set(entry.targetId, label);
  }
  return [...found].map(([id, label]) => ({ id, label }));
}
