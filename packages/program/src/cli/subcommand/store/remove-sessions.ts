/** `bough store remove` and `bough store prune`: delete sessions from a store, for every machine. */
import { boughHome } from "@bough/session/session/index.js";
import { counted, firstWords, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { maskTexts } from "@bough/workbench/export/index.js";
import {
  type NamedStore,
  projectOf,
  removeStored,
  type Store,
  type StoredSession,
  StoreError,
} from "@bough/workbench/store/index.js";
import { chosenStore, storedSessions, withStore } from "@bough/workbench/store/internal.js";
import { usageError } from "../../cli-error.js";
import { askYes } from "../ask-yes.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";
import { namedIds } from "./named-ids.js";

export async function removeSessions(call: SubcommandCall): Promise<number> {
  return inStore(call, async (store, named) => {
    const ids = new Set(await namedIds(call, store));
    const chosen = (await storedSessions(store)).filter(({ id }) => ids.has(id));
    const missing = [...ids].filter((id) => !chosen.some((one) => one.id === id));
    if (missing.length > 0)
      throw new StoreError("session-not-stored", `Not in ${named.name}: ${missing.join(", ")}`, {
        hint: `To list what is there: bough ls --all --store=${named.name}`,
      });
    return remove(call, { store, named, chosen, unknown: 0 });
  });
}

export async function pruneStore(call: SubcommandCall): Promise<number> {
  const { flags, places, now } = call;
  if (call.args.length > 0) throw usageError(`Unexpected argument ${call.args[0]}`, PRUNE_USAGE);
  const age = flags.text("older-than");
  if (age === undefined) throw usageError("How old? Pass --older-than <age>", PRUNE_USAGE);
  const before = new Date(now().getTime() - milliseconds(age));
  const all = flags.isOn("all");
  if (all && flags.isOn("project")) throw usageError("Use either --all or --project");
  const project = all ? undefined : (flags.text("project") ?? (await projectOf(places.cwd)));
  if (!all && project === undefined)
    throw usageError("This folder belongs to no project", "Pass --project <name>, or --all for every project.");
  return inStore(call, async (store, named) => {
    const sessions = await storedSessions(store, project);
    const chosen = sessions.filter(({ updated }) => updated !== undefined && updated < before);
    const unknown = sessions.filter(({ updated }) => updated === undefined).length;
    return remove(call, { store, named, chosen, unknown });
  });
}

const PRUNE_USAGE = "For example: bough store prune --older-than 90d --dry-run";
const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR, y: 365 * 24 * HOUR };

function milliseconds(age: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([hdwy])$/.exec(age.trim()) ?? [];
  const length = UNITS[unit];
  if (length === undefined)
    throw usageError(`Not an age: ${age}`, "Use hours, days, weeks or years: 12h, 90d, 26w, 1y.");
  return Number(count) * length;
}

function inStore(
  { flags }: SubcommandCall,
  use: (store: Store, named: NamedStore) => Promise<number>,
): Promise<number> {
  const home = boughHome();
  const named = chosenStore(home, flags.text("store"));
  return withStore(named, { home, use: (store) => use(store, named) });
}

interface Removal {
  readonly store: Store;
  readonly named: NamedStore;
  readonly chosen: readonly StoredSession[];
  /** Sessions whose age the store does not know. */
  readonly unknown: number;
}

/** Exit code 1 if it was not confirmed. */
async function remove(call: SubcommandCall, { store, named, chosen, unknown }: Removal): Promise<number> {
  const { flags, out, signal } = call;
  const isDry = flags.isOn("dry-run");
  const titles = await maskTexts(chosen.map(({ title = "" }) => title));
  const facts = (removed: ReadonlySet<string>) =>
    chosen.flatMap(({ id, project, updated }, n) =>
      removed.has(id)
        ? [{ id, title: titles[n] ?? "", project: project ?? null, updated: updated?.toISOString() ?? null }]
        : [],
    );
  const all = new Set(chosen.map(({ id }) => id));
  if (!out.json) {
    for (const { id, title, updated } of facts(all)) {
      const [day = "age unknown"] = updated?.split("T") ?? [];
      out.line([
        span(id.slice(0, 8), "accent"),
        span(`  ${firstWords(withoutControls(title), 50)}  `),
        span(day, "muted"),
      ]);
    }
    if (unknown > 0) out.line(`Kept: ${counted(unknown, "session")} of unknown age.`);
  }
  if (isDry || chosen.length === 0) {
    if (out.json) out.value({ store: named.name, dryRun: isDry, removed: facts(all), changed: [] });
    else if (chosen.length === 0) out.line(`Nothing to remove from ${named.name}.`);
    else out.line(`Would remove ${counted(chosen.length, "session")} from ${named.name}.`);
    return 0;
  }
  const question = `Remove ${counted(chosen.length, "session")} from ${named.name} for everyone? Copies on machines stay there.`;
  if (!flags.isOn("yes") && !(await askYes(question, call))) {
    out.notice("Nothing was removed.");
    return 1;
  }
  const progress = new StatusLine();
  const onProgress = (done: number) => progress.tell(() => `Removing: ${done} of ${chosen.length} sessions`);
  const { removed, changed } = await removeStored(store, chosen, { signal, onProgress }).finally(() =>
    progress.clear(),
  );
  if (out.json) out.value({ store: named.name, dryRun: false, removed: facts(new Set(removed)), changed });
  else {
    out.line(`Removed ${counted(removed.length, "session")} from ${named.name}.`);
    if (changed.length > 0)
      out.line(`Kept: ${counted(changed.length, "session")} to which something was pushed meanwhile.`);
    if (store.kind === "git")
      out.line("The history of the remote still has their entries. To erase them, create a new repository.");
  }
  return 0;
}
