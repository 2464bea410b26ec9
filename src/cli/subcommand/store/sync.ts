/** `bough sync`: exchange sessions with a store, once or until it is stopped. */
import { cameLines, chosenStore, withBranches } from "../../../command/internal.js";
import { boughHome } from "../../../session/index.js";
import { resolveSession } from "../../../session/internal.js";
import {
  lookForSecrets,
  openStore,
  type Store,
  StoreError,
  type SyncedContents,
  type SyncReport,
  SyncStates,
  syncSessions,
} from "../../../store/index.js";
import { counted, firstWords, withoutControls } from "../../../text/index.js";
import { span } from "../../../view/index.js";
import { usageError } from "../../cli-error.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";

/** Exit code 1 if a session could not be synced. */
export async function run(call: SubcommandCall): Promise<number> {
  const { flags, places, signal } = call;
  const home = boughHome();
  const named = await chosenStore({ home, cwd: places.cwd }, flags.text("store"));
  const { address, passphrase } = named;
  const ids = call.args.length === 0 ? undefined : await Promise.all(call.args.map((arg) => idOf(arg, call)));
  const store = await openStore(address, { home, passphrase });
  const progress = new StatusLine();
  const project = flags.text("project");
  const once = () =>
    syncSessions({
      store,
      states: new SyncStates(home, address),
      cwd: places.cwd,
      all: flags.isOn("all"),
      again: flags.isOn("again"),
      dryRun: flags.isOn("dry-run"),
      files: flags.isOn("allow-secrets") ? "all" : "safe",
      everyFile: flags.isOn("files"),
      signal,
      now: call.now,
      mayLeave: flags.isOn("allow-secrets") ? async () => "always" : lookForSecrets({ signal }),
      onProgress: (done, total) => progress.tell(() => `Syncing: ${done} of ${total} sessions`),
      ...(ids === undefined ? {} : { ids }),
      ...(project === undefined ? {} : { project }),
    }).finally(() => progress.clear());
  try {
    let code = report(call, { name: named.name, ...(await once()) });
    if (flags.isOn("watch")) code = await watch(call, { store, once, name: named.name });
    return code;
  } finally {
    await store.close();
  }
}

/** Syncs when lines arrive in the store, and now and then for what was written here. */
async function watch(
  call: SubcommandCall,
  { store, once, name }: { readonly store: Store; readonly once: () => Promise<SyncReport>; readonly name: string },
): Promise<number> {
  if (!call.out.json) call.out.line("Watching. Ctrl+C stops.");
  const LOOK_MS = 2_000;
  let wake: () => void = () => {};
  const follow = (async () => {
    for await (const _ of store.follow(undefined, call.signal)) wake();
  })().catch(() => {});
  while (!call.signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      call.signal.addEventListener("abort", () => wake(), { once: true });
    });
    if (call.signal.aborted) break;
    try {
      const made = await once();
      if (made.synced.length > 0) report(call, { name, ...made });
    } catch (error) {
      // A store that is away comes back; anything else ends the watch.
      if (!(error instanceof StoreError) || error.code !== "store-unreachable") throw error;
    }
  }
  await follow;
  return 0;
}

function report({ out, flags }: SubcommandCall, made: SyncReport & { readonly name: string }): number {
  const { name, project, synced, unchanged, skipped } = made;
  const failed = skipped.some(({ why }) => why === "failed" || why === "secrets");
  if (out.json) {
    const shown = skipped.map(({ error, ...rest }) => ({
      ...rest,
      ...(error === undefined ? {} : { message: error.message }),
    }));
    const came = synced.map((one) => ({ ...one, arrivals: withBranches(one.file, one.arrivals) }));
    out.value({ store: name, project: project ?? null, synced: came, unchanged, skipped: shown });
    return failed ? 1 : 0;
  }
  for (const { sessionId, file, title, pushed, pulled, arrivals, taken, contents } of synced) {
    const words = flags.isOn("dry-run") ? "would be synced" : amounts(pushed, pulled);
    out.line([
      span(sessionId.slice(0, 8), "accent"),
      span(`  ${firstWords(withoutControls(title), 50)}  `),
      span(words, "muted"),
    ]);
    for (const line of cameLines(file, arrivals)) out.line([span(`  ${line}`, "muted")]);
    if (contents !== undefined) for (const line of contentsLines(contents)) out.line([span(`  ${line}`, "muted")]);
    for (const { id, newId } of taken)
      out.line([span(`  Entry ID ${id} is taken by another entry here; the one that came is ${newId}.`, "bad")]);
  }
  for (const { sessionId, title = "", why, error } of skipped)
    out.line([
      span(`${sessionId.slice(0, 8)}  ${firstWords(withoutControls(title), 50)}  `),
      span(reasonOf(why, error), "bad"),
    ]);
  const rest = unchanged === 0 ? "" : ` ${counted(unchanged, "session")} unchanged.`;
  if (synced.length === 0) out.line(`Nothing to sync with ${name}.${rest}`);
  else
    out.line(
      `${flags.isOn("dry-run") ? "Would sync" : "Synced"} ${counted(synced.length, "session")} with ${name}.${rest}`,
    );
  if (project === undefined && synced.length === 0 && !flags.isOn("all"))
    out.line("This folder has no git remote. To share its sessions under a name: bough sync --project <name>");
  return failed ? 1 : 0;
}

function amounts(pushed: number, pulled: number): string {
  if (pushed === 0 && pulled === 0) return "files only";
  return [...(pushed === 0 ? [] : [`${pushed} pushed`]), ...(pulled === 0 ? [] : [`${pulled} pulled`])].join(", ");
}

function contentsLines({ pushed, fetched, kept }: SyncedContents): readonly string[] {
  const paths = [...new Set(kept.map(({ path }) => withoutControls(path)))];
  const named = paths.slice(0, MOST_PATHS).join(", ") + (paths.length > MOST_PATHS ? ", …" : "");
  return [
    ...(pushed === 0 ? [] : [`contents of ${counted(pushed, "file")} pushed`]),
    ...(fetched === 0 ? [] : [`contents of ${counted(fetched, "file")} fetched`]),
    ...(paths.length === 0
      ? []
      : [`not pushed, they seem to hold secrets: ${named}. To push them: --files --allow-secrets`]),
  ];
}

const MOST_PATHS = 5;

function reasonOf(why: SyncReport["skipped"][number]["why"], error: StoreError | undefined): string {
  switch (why) {
    case "secrets":
      return "not pushed: it seems to hold secrets. To push it anyway: --allow-secrets";
    case "removed-there":
      return "removed from the store and kept here. To push it again, name it with --again";
    case "deleted-here":
      return "deleted here and kept in the store. To get it back, name it with --again";
    case "failed":
      return error?.message ?? "failed";
  }
}

async function idOf(reference: string, { places, signal }: SubcommandCall): Promise<string> {
  const found = await resolveSession(reference, places, { signal });
  const [one] = found;
  if (found.length > 1) throw usageError(`Several sessions match ${reference}`, "Give more of its ID: bough ls");
  // It may be in the store only.
  return one?.id ?? reference;
}
