/** Copies a session, or a path of it, for `bough fork` and `bough clone`. The original is not modified. */
import { existsSync } from "node:fs";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { counted } from "@bough/session/text/index.js";
import { CheckpointError, hasFileRecords, registerSession } from "@bough/workbench/checkpoint/index.js";
import { filesPlaceOf } from "../files/opened-files.js";
import { openToLook } from "../open-to-look.js";
import type { SessionArgument } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall } from "../subcommand.js";

/** What is copied: the path to an entry, or every branch. */
export type CopyPlan =
  | { readonly kind: "path"; readonly leafId: EntryId; readonly says: string; readonly data?: object }
  | { readonly kind: "all" };

export async function copySession(
  call: SubcommandCall,
  argument: SessionArgument,
  plan: (source: SessionManager) => CopyPlan,
): Promise<number> {
  const { out, flags } = call;
  const { session: source, close } = await openToLook(argument, call);
  let made: { readonly file: string; readonly what: CopyPlan };
  try {
    const what = plan(source);
    made = { what, file: copyOf(source, what) };
  } finally {
    close();
  }
  const copy = SessionManager.open(made.file);
  try {
    const name = flags.text("name");
    if (name !== undefined) copy.appendSessionInfo(name);
    await keepFilesOf(copy, call);
    const { entries } = copy.getCounts();
    const facts = sessionFacts(copy);
    const { what } = made;
    if (out.json) {
      const path = what.kind === "path" ? { entryId: what.leafId, ...what.data } : {};
      out.value({ session: facts, from: argument.file, entries, ...path });
    } else {
      const says = what.kind === "path" ? what.says : "all branches";
      out.line(`Copied ${says}: ${counted(entries, "entry", "entries")} into ${made.file}`);
      out.line(`Resume it with: bough --session ${facts.id}`);
    }
    return 0;
  } finally {
    copy.close();
  }
}

/** The copy refers to stored contents too, so they are kept as long as it exists, wherever it is. */
async function keepFilesOf(copy: SessionManager, call: SubcommandCall): Promise<void> {
  const file = copy.getSessionFile();
  if (file === undefined || !hasFileRecords(copy.getSource())) return;
  try {
    const { store } = await filesPlaceOf(copy, call);
    if (existsSync(store)) registerSession(store, file);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
  }
}

function copyOf(source: SessionManager, plan: CopyPlan): string {
  if (plan.kind === "path") return source.createBranchedSession(plan.leafId) as string;
  const copy = SessionManager.forkFrom(source.getSessionFile() as string, source.getCwd(), source.getSessionDir());
  copy.close();
  return copy.getSessionFile() as string;
}
