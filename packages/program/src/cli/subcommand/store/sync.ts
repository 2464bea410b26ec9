/** `bough sync`: exchanges sessions with a store, once or until stopped. */
import { boughHome } from "@bough/session/session/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import {
  lookForSecrets,
  rememberProject,
  type SecretFinding,
  type Store,
  StoreError,
  type SyncReport,
  SyncStates,
  syncSessions,
} from "@bough/workbench/store/index.js";
import { awaySentence, backSentence, chosenStore, isPassing, withStore } from "@bough/workbench/store/internal.js";
import { usageError } from "../../cli-error.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { namedIds } from "./named-ids.js";
import { storeFlag } from "./store-flag.js";
import { previewOf } from "./sync-preview.js";
import { type MadeReport, tellReport } from "./sync-report.js";

export const row: SubcommandRow = {
  name: "sync",
  usage: "[session...]",
  summary: "Exchange sessions with a store",
  details:
    "Pushes what the store lacks and pulls what is missing here. Entries are only ever added, and your position stays where it is; branches from other machines appear in the tree. Without arguments: the sessions of this project, on any machine. What is new in a session is scanned for secrets before every push. Contents of changed files are pushed too, except those in which secrets were found; those of other machines are fetched when they are needed.",
  flags: {
    store: { value: "name", help: "the store to sync with; default: the setting store, or the first" },
    all: { help: "sessions of every project" },
    project: { value: "name", help: "name of this folder's project from now on (default: its git remote)" },
    watch: { help: "keep syncing until Ctrl+C" },
    "dry-run": { help: "show what would be pushed, and whether there is something to pull" },
    again: { help: "also sync named sessions that were removed from the store or deleted here" },
    files: { help: "fetch the contents of all files now, and push any that were skipped" },
    "allow-secrets": { help: "push sessions and files in which secrets were found" },
  },
  examples: [
    ["sync", "the sessions of this project"],
    ["sync --all --store home", "everything"],
    ["sync 3f2a --again", "one session, even if it was removed from the store"],
  ],
  json: '{ "store", "project", "synced": [{ sessionId, file, title, pushed, pulled, arrivals: [{ replica, entries, turns, tips, branches: [{ number, name }] }], taken, damaged, contents?: { pushed, fetched, kept: [{ path, hash }] }, toPush?, toPull? }], "unchanged", "skipped": [{ sessionId, title, why, message?, findings?: [{ rule, title, entryId, excerpt, count }] }] }; toPush and toPull with --dry-run; with --watch one line for each sync, and { "store", "state": "away" | "back", "message"? }',
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: "sessions",
};

/** Exit code 1 if a session could not be synced. */
export async function run(call: SubcommandCall): Promise<number> {
  const { flags, places, signal } = call;
  const [watches, isDry] = [flags.isOn("watch"), flags.isOn("dry-run")];
  if (watches && isDry) throw usageError("--watch cannot be combined with --dry-run");
  if (flags.isOn("again") && call.args.length === 0)
    throw usageError("--again needs a session", "Name the sessions: bough sync <session> --again");
  const home = boughHome();
  const named = chosenStore(home, flags.text("store"));
  const isOther = storeFlag(home, named.name);
  const given = flags.text("project");
  const project = given && (await rememberProject(places.cwd, given, { home, dryRun: isDry }));
  const progress = new StatusLine();
  const contents = storedContents(home);
  // Naming the project moves what was synced before, once; from then on the folder remembers its name.
  let naming = project;
  const use = async (store: Store): Promise<number> => {
    const ids = call.args.length === 0 ? undefined : await namedIds(call, store);
    const once = async (): Promise<MadeReport> => {
      const states = new SyncStates(home, named.address);
      const findings = new Map<string, readonly SecretFinding[]>();
      const ask = async (found: readonly SecretFinding[], sessionId: string) => {
        findings.set(sessionId, found);
        return false;
      };
      const made = await syncSessions({
        store,
        states,
        cwd: places.cwd,
        all: flags.isOn("all"),
        again: flags.isOn("again"),
        dryRun: isDry,
        files: flags.isOn("allow-secrets") ? "all" : "safe",
        everyFile: flags.isOn("files"),
        signal,
        contents,
        now: call.now,
        mayLeave: flags.isOn("allow-secrets") ? async () => "always" : lookForSecrets({ ask, signal }),
        onProgress: (done, total) => progress.tell(() => `Syncing: ${done} of ${total} sessions`),
        ids,
        project: naming,
      }).finally(() => progress.clear());
      naming = undefined;
      const preview = isDry ? await previewOf(made.synced, { store, states }) : undefined;
      return { ...made, name: named.name, storeFlag: isOther, findings, preview };
    };
    const made = await once();
    const code = await tellReport(call, made);
    return watches ? await watch(call, { store, once, first: made }) : code;
  };
  return withStore(named, { home, use });
}

const LOOK_MS = 2_000;

interface Watch {
  readonly store: Store;
  readonly once: () => Promise<MadeReport>;
  readonly first: MadeReport;
}

/** Syncs when lines arrive in the store, and regularly for what is written here. */
async function watch(call: SubcommandCall, { store, once, first }: Watch): Promise<number> {
  const { out, signal } = call;
  const { name } = first;
  if (!out.json) out.line("Watching. Ctrl+C stops.");
  const said = new Set(first.skipped.map(reasonKey));
  let wake: () => void = () => {};
  signal.addEventListener("abort", () => wake(), { once: true });
  const follow = (async () => {
    for await (const _ of store.follow(undefined, signal)) wake();
  })().catch(() => {});
  let isAway = false;
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    if (signal.aborted) break;
    try {
      const made = await once();
      if (isAway) tellState(call, { store: name, state: "back" }, backSentence(name));
      isAway = false;
      // A session that cannot be synced is reported once.
      const skipped = made.skipped.filter((one) => !said.has(reasonKey(one)));
      for (const one of skipped) said.add(reasonKey(one));
      if (made.synced.length > 0 || skipped.length > 0) await tellReport(call, { ...made, skipped });
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof StoreError) || !isPassing(error)) throw error;
      const message = awaySentence(name, error);
      if (!isAway) tellState(call, { store: name, state: "away", message: error.message }, message);
      isAway = true;
    }
  }
  await follow;
  return 0;
}

function tellState({ out }: SubcommandCall, state: object, sentence: string): void {
  if (out.json) out.value(state);
  else out.line(sentence);
}

function reasonKey({ sessionId, why, error }: SyncReport["skipped"][number]): string {
  return `${sessionId} ${why} ${error?.message ?? ""}`;
}
