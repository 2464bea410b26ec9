/** Reports what `bough sync` did, to people and to programs. Secrets are masked in both. */

import { counted, defined, firstWords, shellWord, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { maskTexts } from "@bough/workbench/export/index.js";
import type { SecretFinding, StoreError, SyncedContents, SyncReport } from "@bough/workbench/store/index.js";
import { cameLines, findingLines, withBranches } from "@bough/workbench/store/internal.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Preview } from "./sync-preview.js";

export interface MadeReport extends SyncReport {
  /** The store's name. */
  readonly name: string;
  /** The flag that refers to this store in hints. */
  readonly storeFlag: string;
  /** Why sessions were held back, by their ID. */
  readonly findings: ReadonlyMap<string, readonly SecretFinding[]>;
  /** In a dry run, by session ID. */
  readonly preview: ReadonlyMap<string, Preview> | undefined;
}

/** Returns the exit code. */
export async function tellReport({ args, out, flags }: SubcommandCall, report: MadeReport): Promise<number> {
  const made = await withMaskedTitles(report);
  const isFailed = made.skipped.some(({ why }) => why === "failed" || why === "secrets");
  if (out.json) out.value(reportJson(made));
  else {
    tellSynced(out, made);
    tellSkipped(out, made);
    for (const line of lastLines(made, args.length > 0 || flags.isOn("all"))) out.line(line);
  }
  return isFailed ? 1 : 0;
}

/** If the first prompt of a session is a key, the title contains it. */
async function withMaskedTitles(made: MadeReport): Promise<MadeReport> {
  const all = [...made.synced, ...made.skipped];
  const titles = await maskTexts(all.map(({ title = "" }) => title));
  return {
    ...made,
    synced: made.synced.map((one, i) => ({ ...one, title: titles[i] as string })),
    skipped: made.skipped.map((one, i) => ({ ...one, title: titles[made.synced.length + i] as string })),
  };
}

function reportJson({
  name,
  project,
  synced,
  unchanged,
  moved,
  notMoved,
  skipped,
  findings,
  preview,
}: MadeReport): object {
  return {
    store: name,
    project: project ?? null,
    synced: synced.map((one) => ({
      ...one,
      arrivals: withBranches(one.file, one.arrivals),
      ...(preview?.get(one.sessionId) ?? {}),
    })),
    unchanged,
    moved,
    notMoved,
    skipped: skipped.map(({ error, ...rest }) => ({
      ...rest,
      ...defined({ message: error?.message }),
      ...(rest.why === "secrets" ? { findings: (findings.get(rest.sessionId) ?? []).map(findingJson) } : {}),
    })),
  };
}

function findingJson({ rule, title, entryId, excerpt, count }: SecretFinding): object {
  return { rule, title, entryId: entryId ?? null, excerpt, count };
}

function tellSynced(out: SubcommandCall["out"], { synced, preview }: MadeReport): void {
  for (const { sessionId, file, title, pushed, pulled, arrivals, taken, contents } of synced) {
    const would = preview?.get(sessionId);
    out.line([
      span(sessionId.slice(0, 8), "accent"),
      span(`  ${firstWords(withoutControls(title), 50)}  `),
      span(would === undefined ? amounts(pushed, pulled) : wouldWords(would), "muted"),
    ]);
    for (const line of cameLines(file, arrivals)) out.line([span(`  ${line}`, "muted")]);
    if (contents !== undefined) for (const line of contentsLines(contents)) out.line([span(`  ${line}`, "muted")]);
    for (const { id, newId } of taken)
      out.line([span(`  Entry ID ${id} is taken by another entry here; the one that arrived is now ${newId}.`, "bad")]);
  }
}

function tellSkipped(out: SubcommandCall["out"], { skipped, storeFlag, findings }: MadeReport): void {
  for (const { sessionId, title = "", why, error } of skipped) {
    const id = sessionId.slice(0, 8);
    out.line([
      span(`${id}  ${firstWords(withoutControls(title), 50)}  `),
      span(reasonOf(why, { error, command: `bough sync ${id}${storeFlag}` }), "bad"),
    ]);
    if (why === "secrets")
      for (const line of findingLines(findings.get(sessionId) ?? [])) out.line([span(`  ${line}`, "muted")]);
  }
}

function lastLines(made: MadeReport, isChosen: boolean): readonly string[] {
  const { name, synced, unchanged, moved, notMoved, skipped, preview, project, storeFlag } = made;
  const kept = skipped.filter(({ why }) => why === "secrets").length;
  const failed = skipped.filter(({ why }) => why === "failed").length;
  const done = preview === undefined ? "Synced" : "Would sync";
  const sentences = [
    ...(synced.length === 0 ? [] : [`${done} ${counted(synced.length, "session")} with ${name}.`]),
    ...(moved === 0
      ? []
      : [`${preview === undefined ? "Moved" : "Would move"} ${counted(moved, "session")} to ${project}.`]),
    ...(kept === 0 ? [] : [`${counted(kept, "session")} not pushed.`]),
    ...(failed === 0 ? [] : [`${counted(failed, "session")} not synced.`]),
  ];
  const first = sentences.length === 0 ? [`Nothing to sync with ${name}.`] : sentences;
  const rest = unchanged === 0 ? [] : [`${counted(unchanged, "session")} unchanged.`];
  const command = `bough sync --project ${project === undefined ? "<name>" : shellWord(project)}${storeFlag}`;
  const hints = [
    ...(project === undefined && !isChosen ? [`${namelessSentence(synced.length)}: ${command}`] : []),
    ...(notMoved === 0
      ? []
      : [
          `${counted(notMoved, "session")} not moved to ${project}: another machine still uses another name. Run this there too: ${command}`,
        ]),
  ];
  return [[...first, ...rest].join(" "), ...hints];
}

/** On another machine, only `bough sync --all` finds what was synced without a name. */
function namelessSentence(synced: number): string {
  if (synced === 0) return "This folder has no git remote. To share its sessions under a name";
  return "This folder has no git remote, so other machines cannot tell which project these sessions belong to. To give it a name";
}

function amounts(pushed: number, pulled: number): string {
  if (pushed === 0 && pulled === 0) return "files only";
  return [...(pushed === 0 ? [] : [`${pushed} pushed`]), ...(pulled === 0 ? [] : [`${pulled} pulled`])].join(", ");
}

function wouldWords({ toPush, toPull }: Preview): string {
  if (toPush === 0 && !toPull) return "files only";
  return [...(toPush === 0 ? [] : [`${toPush} to push`]), ...(toPull ? ["something to pull"] : [])].join(", ");
}

function contentsLines({ pushed, fetched, kept }: SyncedContents): readonly string[] {
  const paths = [...new Set(kept.map(({ path }) => withoutControls(path)))];
  const named = paths.slice(0, MOST_PATHS).join(", ") + (paths.length > MOST_PATHS ? ", …" : "");
  return [
    ...(pushed === 0 ? [] : [`contents of ${counted(pushed, "file")} pushed`]),
    ...(fetched === 0 ? [] : [`contents of ${counted(fetched, "file")} fetched`]),
    ...(paths.length === 0
      ? []
      : [`not pushed, they may contain secrets: ${named}. To push them: --files --allow-secrets`]),
  ];
}

const MOST_PATHS = 5;

interface Reason {
  readonly error: StoreError | undefined;
  /** The command that syncs only this session. */
  readonly command: string;
}

function reasonOf(why: SyncReport["skipped"][number]["why"], { error, command }: Reason): string {
  switch (why) {
    case "secrets":
      return `not pushed: it may contain secrets. To push it anyway: ${command} --allow-secrets`;
    case "removed-there":
      return `removed from the store and kept here. To push it again: ${command} --again`;
    case "deleted-here":
      return `deleted here and kept in the store. To get it back: ${command} --again`;
    case "failed":
      return error?.message ?? "failed";
  }
}
