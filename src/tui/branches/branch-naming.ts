/** Naming a branch from the list: a label on its first entry, which stays its first entry. */
import type { EntryId } from "../../entry/index.js";
import type { ScreenApp } from "../app/screen.js";
import { askText } from "../questions/ask-text.js";
import { giveLabel } from "../tree/give-label.js";

export interface NamedPlace {
  readonly entryId: EntryId;
  /** The name it has. */
  readonly name: string;
  readonly number: number;
}

/** What to say about it; undefined where the person changed their mind. */
export async function nameBranch(app: ScreenApp, { entryId, name, number }: NamedPlace): Promise<string | undefined> {
  const title = `Name of #${number}, empty for none`;
  const label = await askText(app.desk, { name: "branch-name", title, text: name, verb: "name it" });
  return label === undefined ? undefined : giveLabel(app, { entryId, label });
}
