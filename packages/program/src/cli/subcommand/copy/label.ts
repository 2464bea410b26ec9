/** `bough label`: sets, shows or removes the label of an entry. */
import { type EntryId, SessionError } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { labelHolders } from "@bough/session/session/internal.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { usageError } from "../../cli-error.js";
import { openToChange } from "../open-to-change.js";
import { openToLook } from "../open-to-look.js";
import { ownSessionArgument } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "label",
  usage: "<session#entry> [label]",
  summary: "Label a point in a session",
  details:
    "Labels work anywhere an entry ID does. Without a label argument, prints the current one. Fails if another entry has the label, unless --move is given.",
  flags: { remove: { help: "remove the label" }, move: { help: "move the label from the entry that has it" } },
  examples: [
    ["label 4f2a#c0ffee before-rewrite", "label an entry"],
    ["label '#@' good", "label the current position of the last session here"],
    ["label 4f2a#before-rewrite --remove", "remove the label"],
  ],
  json: '{ "session": { id, path, name, leafId }, "entryId", "label": text or null }',
  args: { least: 1, most: 2 },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, places, out } = call;
  const argument = await ownSessionArgument(args[0], places);
  const { file, place } = argument;
  if (place === undefined) throw usageError("Missing entry after #", "For example: bough label session#entry good");
  const label = args[1]?.trim();
  const remove = flags.isOn("remove");
  if (remove && label !== undefined) throw usageError("--remove takes no label");
  if (label === "") throw usageError("The label cannot be empty", "Remove one with --remove.");
  const changes = remove || label !== undefined;
  const session = changes ? openToChange(file, call) : (await openToLook(argument, call)).session;
  try {
    const entryId = findEntry(session, place);
    if (changes) change(session, entryId, { label, move: flags.isOn("move") });
    const now = session.getLabel(entryId) ?? null;
    if (out.json) out.value({ session: sessionFacts(session), entryId, label: now });
    else if (!changes) out.line(now ?? `${entryId} has no label`);
    else out.line(now === null ? `Removed the label from ${entryId}` : `Labeled ${entryId} "${now}"`);
    return 0;
  } finally {
    session.close();
  }
}

interface LabelChange {
  readonly label: string | undefined;
  readonly move: boolean;
}

function change(session: SessionManager, entryId: EntryId, { label, move }: LabelChange): void {
  if (label !== undefined) {
    for (const holder of labelHolders(session, label)) {
      if (holder === entryId) continue;
      if (!move) {
        throw new SessionError("ambiguous-entry", `"${label}" already labels ${holder}`, {
          data: { label, entryId: holder },
          hint: "Choose another label, or pass --move to move it.",
        });
      }
      session.appendLabelChange(holder);
    }
  }
  if (session.getLabel(entryId) !== label) session.appendLabelChange(entryId, label);
}
