/** `bough files`: what is stored of files, and what can be deleted. */
import { basename, dirname, join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { boughHome, SessionManager } from "@bough/session/session/index.js";
import { everySessionFile } from "@bough/session/session/internal.js";
import { attempt, counted, firstWords, shortBytes, shownPath } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { branchPrompt, padToWidth } from "@bough/session/view/internal.js";
import {
  CheckpointError,
  collectGarbage,
  rootHere,
  rootSessions,
  type StoreStatus,
  sessionsOf,
  storeStatus,
} from "@bough/workbench/checkpoint/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import { usageError } from "../../cli-error.js";
import { shortIds } from "../browse/short-ids.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "files",
  usage: "[status|gc]",
  summary: "Show or clean up stored file versions",
  details:
    "status shows how much is stored for this folder and which sessions use it. gc removes file versions that no session uses, archived ones included, once they are 14 days old. Nothing is removed if any session cannot be read.",
  flags: {
    all: { short: "a", help: "every folder's store" },
    "forget-missing": { help: "with gc: forget sessions whose folder no longer exists" },
    "dry-run": { help: "with gc: report what would be removed, without removing" },
  },
  examples: [
    ["files", "what is stored for this folder"],
    ["files gc --dry-run", "what could be removed"],
    ["files gc --all", "clean up every store"],
  ],
  json: 'status: { "stores": [{ root: path or null, store, contents, bytes, unused: { contents, bytes }, sessions: [{ file, checkpoints, contents, bytes }], unread: [{ file, reason }], away: [file] }] }. gc: { "dryRun", "stores": [{ root, store, removed, bytes, kept }] }.',
  args: { least: 0, most: 1 },
  completes: ["status", "gc"],
};

export async function run(call: SubcommandCall): Promise<number> {
  const [what = "status"] = call.args;
  if (what === "status") return status(call);
  if (what === "gc") return removeUnused(call);
  throw usageError(`Unknown argument ${what}`, "Use bough files status or bough files gc.");
}

interface Store {
  /** Undefined for a store of another folder. */
  readonly root: string | undefined;
  readonly store: string;
}

async function storesFor({ places, flags }: SubcommandCall): Promise<readonly Store[]> {
  const home = boughHome();
  if (!flags.isOn("all")) return [await rootHere(places.cwd, home)];
  const folder = join(home, "files");
  const here = await rootHere(places.cwd, home).catch(() => undefined);
  const names = itemsIn(folder).filter((item) => item.isDirectory() && /^[0-9a-f]{32}$/.test(item.name));
  return names.map(({ name }) => {
    const store = join(folder, name);
    return { store, root: here?.store === store ? here.root : undefined };
  });
}

async function status(call: SubcommandCall): Promise<number> {
  const { out, signal } = call;
  const shown = new StatusLine();
  const home = boughHome();
  const contents = storedContents(home);
  const found: { readonly at: Store; readonly status: StoreStatus; readonly away: readonly string[] }[] = [];
  for (const at of await storesFor(call)) {
    const { files, away } = rootSessions({ ...at, home });
    const onProgress = (done: number, total: number) => shown.tell(() => `Reading sessions: ${done} of ${total}`);
    const status = await storeStatus({ store: at.store, sessions: files, signal, onProgress, contents });
    found.push({ at, away, status });
  }
  shown.clear();
  if (out.json) {
    out.value({
      stores: found.map(({ at, away, status }) => ({ root: at.root ?? null, store: at.store, ...status, away })),
    });
    return 0;
  }
  if (found.length === 0) out.line("Nothing is stored.");
  for (const one of found) await out.lines(statusLines(one.at, one.status));
  for (const { status, away } of found) {
    for (const { file, reason } of status.unread) out.notice(`bough: Cannot read ${shownPath(file)}: ${reason}`);
    for (const folder of foldersOf(away)) out.notice(`bough: Session folder not found: ${shownPath(folder)}`);
    if (away.length > 0) out.notice(`  Nothing is removed while it is missing. ${FORGET}`);
  }
  return 0;
}

const FORGET = "If it was deleted, run bough files gc --forget-missing.";

function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => dirname(file)))];
}

function foldersMissing(store: string, folders: readonly string[]): CheckpointError {
  const names = folders.map((folder) => shownPath(folder)).join(", ");
  return new CheckpointError("sessions-unread", `Nothing was removed: session folder not found: ${names}`, {
    data: { store, folders },
    hint: `If it is on a disk that is not mounted, mount it. ${FORGET}`,
  });
}

function* statusLines({ root, store }: Store, status: StoreStatus): Generator<Line> {
  const { contents, bytes, unused, sessions } = status;
  yield [span(root === undefined ? basename(store) : shownPath(root), "strong")];
  yield [span("  Stored    ", "muted"), span(amount(contents, bytes)), span(`  ${shownPath(store)}`, "muted")];
  if (unused.contents > 0) {
    yield [
      span("  Unused    ", "muted"),
      span(amount(unused.contents, unused.bytes)),
      span("  bough files gc removes those older than 14 days", "muted"),
    ];
  }
  const named = sessions.map((session) => ({ ...session, ...nameOf(session.file) }));
  const short = shortIds(named.map(({ id }) => id));
  for (const { id, title, archived, checkpoints, ...own } of named) {
    yield [
      span("  Session   ", "muted"),
      span(padToWidth(short.get(id) ?? id, 10), "accent"),
      span(`${title}${archived ? " (archived)" : ""}`),
      span(`  ${counted(checkpoints, "checkpoint")}, ${amount(own.contents, own.bytes)}`, "muted"),
    ];
  }
}

function amount(contents: number, bytes: number): string {
  return `${counted(contents, "file version")}, ${shortBytes(bytes)}`;
}

function nameOf(file: string): { readonly id: string; readonly title: string; readonly archived: boolean } {
  const archived = file.startsWith(join(boughHome(), "archive"));
  const session = attempt(() => SessionManager.open(file, undefined, { readOnly: true }));
  if (session === undefined) return { id: basename(file), title: shownPath(file), archived };
  const facts = { id: session.getSessionId(), title: titleOf(session), archived };
  session.close();
  return facts;
}

/** The ID is printed next to it. */
function titleOf(session: SessionManager): string {
  const source = session.getSource();
  return firstWords(session.getSessionName() ?? branchPrompt(source, branchIndexOf(source.tree).firstOf(1)), 60);
}

async function removeUnused(call: SubcommandCall): Promise<number> {
  const { out, flags, now } = call;
  const dryRun = flags.isOn("dry-run");
  const sessions = everySessionFile({ archived: "include" });
  const contents = storedContents(boughHome());
  const done: object[] = [];
  for (const { root, store } of await storesFor(call)) {
    const missing = flags.isOn("forget-missing") ? "forget" : "wait";
    const outcome = await collectGarbage({ store, sessions, now: now(), dryRun, missing, contents });
    if (outcome.kind === "failed") {
      const away = missing === "forget" ? [] : foldersOf(attempt(() => sessionsOf(store).away) ?? []);
      if (away.length > 0) throw foldersMissing(store, away);
      throw new CheckpointError("sessions-unread", `Nothing was removed: ${outcome.reason}`, {
        data: { store },
        hint: "A session that cannot be read may need what is stored. Repair or remove it, then run this again.",
      });
    }
    const { removed, bytes, kept } = outcome;
    done.push({ root: root ?? null, store, removed, bytes, kept });
    if (!out.json) {
      const what = `${dryRun ? "Would remove" : "Removed"} ${amount(removed, bytes)}; ${kept} kept`;
      out.line(flags.isOn("all") ? `${root === undefined ? basename(store) : shownPath(root)}: ${what}` : what);
    }
  }
  if (out.json) out.value({ dryRun, stores: done });
  else if (done.length === 0) out.line("Nothing is stored.");
  return 0;
}
