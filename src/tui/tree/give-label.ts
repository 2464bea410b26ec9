/** Giving a label, and asking first where it would have to be taken from another entry. */
import { labelEntry } from "../../command/index.js";
import type { EntryId } from "../../entry/index.js";
import type { ScreenApp } from "../app/screen.js";
import { askTaken } from "./ask-taken.js";

/** What to say about it. */
export async function giveLabel(
  { desk, world }: ScreenApp,
  request: { readonly entryId: EntryId; readonly label: string },
): Promise<string | undefined> {
  const outcome = await labelEntry(world, request);
  if (outcome.kind !== "done" && outcome.kind !== "unchanged") return undefined;
  if (outcome.kind === "done" || outcome.code !== "label-taken") return outcome.message;
  if ((await askTaken(desk, outcome.message)) === "keep") return `"${request.label.trim()}" stays where it was.`;
  const moved = await labelEntry(world, { ...request, taken: "move" });
  return moved.kind === "done" || moved.kind === "unchanged" ? moved.message : undefined;
}
