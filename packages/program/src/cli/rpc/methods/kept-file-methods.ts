/** Files that follow the tree: plan, restore, compare, blame, and what is stored of them. */

import type { EntryId } from "@bough/session/entry/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { everySessionFile } from "@bough/session/session/internal.js";
import { patchOf } from "@bough/session/view/door.js";
import {
  BlobStore,
  CheckpointError,
  collectGarbage,
  type FilePlan,
  pathInRoot,
  rootHere,
  rootSessions,
  sessionRoot,
  storeStatus,
  traceFile,
  unrecordedPaths,
} from "@bough/workbench/checkpoint/index.js";
import { z } from "zod";
import { CUT_TO, shortened, sizeOf } from "../line-limit.js";
import { entryRef, none, page, paged } from "../shape/common-shapes.js";
import { entryId } from "../shape/entry-shapes.js";
import { blamedLine, fileDifference, plannedFile, skippedFile } from "../shape/file-shapes.js";
import { movedFiles, moveFiles } from "../shape/outcome-shapes.js";
import { answerPage, PAGE_LIMIT } from "./answer-page.js";
import { stoppable } from "./file-methods.js";
import { method, type RpcContext } from "./rpc-method.js";

const place = entryRef.nullable();
const paths = z.array(z.string().min(1)).min(1).optional().describe("Only these files and folders. Default: all.");

const filePlanPage = z.object({
  ...paged,
  root: z.string(),
  bytes: z.int().describe("Bytes to write, for all paths."),
  conflicts: z.int(),
  missing: z.int(),
  protected: z.int().describe("Protected paths, which decide what runs."),
  files: z.array(plannedFile),
});

async function planPage(plan: FilePlan, request: { readonly offset: number; readonly limit: number }) {
  const files = plannedFiles(plan);
  const count = (action: string) => files.filter((file) => file.action === action).length;
  const { items, ...where } = await answerPage(files, (file) => file, request);
  const { root, bytes } = plan;
  const counts = { conflicts: count("conflict"), missing: count("missing"), protected: count("protected") };
  return { ...where, root, bytes, ...counts, files: items };
}

export const KEPT_FILE_METHODS = {
  planFiles: method({
    summary:
      "A page of what `restoreFiles` would do, by path: files to write and delete, conflicts, and what is missing.",
    params: z.strictObject({ entryId: place.describe("An entry; null is before the first one."), paths, ...page }),
    result: filePlanPage,
    async run(context, { entryId: reference, paths: given, ...request }) {
      const paths = await planned(context, given);
      return planPage(await context.started.agent.planFiles(idOf(context, reference), { paths }), request);
    },
  }),
  planMergeFiles: method({
    summary: "A page of what `merge` with `files` would do to files, by path; conflicts say why.",
    params: z.strictObject({ tipId: entryRef, ...page }),
    result: filePlanPage,
    run: async (context, { tipId, ...request }) =>
      planPage(await context.started.agent.planMergeFiles(entryOf(context, tipId)), request),
  }),
  planCherryPickFiles: method({
    summary: "A page of what `cherryPick` with `files` would do to files, by path; conflicts say why.",
    params: z.strictObject({ ids: z.array(entryRef).min(1), ...page }),
    result: filePlanPage,
    async run(context, { ids, ...request }) {
      const named = ids.map((id) => entryOf(context, id));
      return planPage(await context.started.agent.planCherryPickFiles(named), request);
    },
  }),
  restoreFiles: method({
    summary:
      "Restores files to their state at an entry. The conversation does not move. Conflicts are kept by default.",
    params: z.strictObject({
      entryId: place.describe("An entry; null is before the first one."),
      paths,
      conflicts: moveFiles.conflicts,
      protected: moveFiles.protected,
    }),
    result: movedFiles,
    async run(context, { entryId: reference, paths: given, conflicts, protected: guarded }) {
      const to = idOf(context, reference);
      const only = await chosen(context, given);
      return context.started.agent.restoreFiles(to, { paths: only, conflicts, protected: guarded });
    },
  }),
  diffFiles: method({
    summary: "A page of how files differ between two entries, or from an entry to the disk.",
    params: z.strictObject({
      from: place.optional().describe("An entry; null is before the first one. Default: the current position."),
      to: place.optional().describe("Default: the disk."),
      paths,
      patch: z.boolean().default(true).describe("Include each file's patch."),
      ...page,
    }),
    result: z.object({
      ...paged,
      root: z.string(),
      unread: z.array(entryId).describe("Entries whose list of changes is not on this machine."),
      skipped: z.array(skippedFile).describe("The first 100."),
      files: z.array(fileDifference),
    }),
    async run(context, { from, to, paths: given, patch, offset, limit }) {
      const { agent } = context.started;
      const start = from === undefined ? agent.session.getLeafId() : idOf(context, from);
      const end = to === undefined ? "disk" : idOf(context, to);
      const only = await chosen(context, given);
      return stoppable(context, async (signal) => {
        const found = await agent.diffFiles(start, end, {
          paths: only,
          skip: offset,
          signal,
        });
        const { items, ...where } = await differencePage(found, { offset, limit, patch });
        const { root, unread, skipped } = found;
        return { ...where, root, unread: unread.slice(0, 100), skipped: skipped.slice(0, 100), files: items };
      });
    },
  }),
  differingFiles: method({
    summary: "Files on disk that differ from the leaf's, because the conversation moved without them.",
    params: none,
    result: z.object({ total: z.int(), paths: z.array(z.string()).describe("The first 1000.") }),
    async run({ started }) {
      const all = await started.agent.differingFiles();
      return { total: all.length, paths: all.slice(0, 1000) };
    },
  }),
  blame: method({
    summary:
      "A page of the lines of a file, each with the entry, branch and prompt that wrote it, across all sessions here.",
    params: z.strictObject({ path: z.string().min(1), ...page }),
    result: z.object({
      ...paged,
      root: z.string(),
      path: z.string(),
      unread: z.array(z.object({ file: z.string(), reason: z.string() })).describe("Sessions that could not be read."),
      lines: z.array(blamedLine),
    }),
    run: (context, { path, ...request }) =>
      stoppable(context, (signal) => blamed(context, path, { ...request, signal })),
  }),
  "files.status": method({
    summary: "File versions stored for this folder, their size, and a page of the sessions that use them.",
    params: z.strictObject(page),
    result: z.object({
      ...paged,
      root: z.string(),
      store: z.string(),
      contents: z.int().describe("File versions."),
      bytes: z.int(),
      unused: z.object({ contents: z.int(), bytes: z.int() }).describe("Used by no session."),
      sessions: z.array(z.object({ file: z.string(), checkpoints: z.int(), contents: z.int(), bytes: z.int() })),
      unread: z.array(z.object({ file: z.string(), reason: z.string() })).describe("Sessions that could not be read."),
    }),
    run: (context, request) =>
      stoppable(context, async (signal) => {
        const home = boughHome();
        const { root, store } = await rootHere(context.started.parts.cwd, home);
        const { files } = rootSessions({ root, store, home });
        const { sessions, unread, ...status } = await storeStatus({
          store,
          sessions: files,
          signal,
          contents: context.started.agent.contents,
        });
        const { items, ...where } = await answerPage(sessions, (session) => session, request);
        return { ...where, root, store, ...status, sessions: items, unread: unread.slice(0, 100) };
      }),
  }),
  "files.gc": method({
    summary:
      "Removes stored file versions that no session uses and that are 14 days old. Fails if any session cannot be read.",
    params: z.strictObject({ dryRun: z.boolean().default(false).describe("Only count.") }),
    result: z.object({ removed: z.int(), bytes: z.int(), kept: z.int() }),
    async run({ started }, { dryRun }) {
      const { store } = await rootHere(started.parts.cwd, boughHome());
      const sessions = everySessionFile({ archived: "include" });
      const outcome = await collectGarbage({
        ...{ store, sessions, now: new Date(), dryRun },
        contents: started.agent.contents,
      });
      if (outcome.kind === "done") return { removed: outcome.removed, bytes: outcome.bytes, kept: outcome.kept };
      throw new CheckpointError("sessions-unread", `Nothing was removed: ${outcome.reason}`, { data: { store } });
    },
  }),
};

function entryOf({ started }: RpcContext, reference: string): EntryId {
  return started.agent.session.resolveEntry(reference);
}

function idOf({ started }: RpcContext, reference: string | null): EntryId | null {
  return reference === null ? null : started.agent.session.resolveEntry(reference);
}

/** Paths are relative to the working folder, or absolute. */
async function chosen(
  { started }: RpcContext,
  given: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (given === undefined) return undefined;
  const { cwd } = started.parts;
  const { root } = await sessionRoot({ sessionCwd: started.agent.session.getCwd(), cwd, home: boughHome() });
  return given.map((path) => pathInRoot(path, { root, cwd }));
}

/** The same, for a plan. Throws `no-file-history` if the session names none of them. */
async function planned(
  context: RpcContext,
  given: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const paths = await chosen(context, given);
  if (paths === undefined) return undefined;
  const { agent, parts } = context.started;
  const place = { sessionCwd: agent.session.getCwd(), cwd: parts.cwd, home: boughHome() };
  const { store } = await sessionRoot(place);
  await unrecordedPaths(agent.session.getSource(), paths, new BlobStore(store, { contents: agent.contents }));
  return paths;
}

function plannedFiles({ files, conflicts, missing, protected: guarded = [] }: FilePlan) {
  const all = [
    ...files.map((file) => ({ ...file, action: file.wanted === null ? "delete" : "write" })),
    ...conflicts.map(({ expected: _expected, ...file }) => ({ ...file, action: "conflict" })),
    ...guarded.map(({ expected: _expected, ...file }) => ({ ...file, action: "protected" })),
    ...missing.map(({ path, wanted }) => ({ path, wanted, byPerson: false, action: "missing" })),
  ];
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Found = Awaited<ReturnType<RpcContext["started"]["agent"]["diffFiles"]>>;

/** Diffs are computed one by one, and only for the page. */
async function differencePage(
  { files, total }: Pick<Found, "files" | "total">,
  { offset, limit, patch }: { readonly offset: number; readonly limit: number; readonly patch: boolean },
) {
  const items: object[] = [];
  let size = 0;
  for await (const { hunks, ...facts } of files) {
    const whole = patch ? { ...facts, patch: patchOf({ ...facts, hunks }) } : facts;
    const item = shortened(whole, { most: PAGE_LIMIT, to: CUT_TO });
    size += sizeOf(item) + 1;
    if (size > PAGE_LIMIT && items.length > 0) break;
    items.push(item);
    if (items.length === limit) break;
  }
  const next = offset + items.length;
  return { total, offset, next: next < total && items.length > 0 ? next : null, items };
}

async function blamed(
  { started }: RpcContext,
  given: string,
  { signal, ...request }: { readonly offset: number; readonly limit: number; readonly signal: AbortSignal },
) {
  const traced = await traceFile(given, {
    ...{ cwd: started.parts.cwd, home: boughHome(), signal },
    contents: started.agent.contents,
  });
  try {
    const { root, path, lines, unread, stepOf } = traced;
    const { items, ...where } = await answerPage(
      lines,
      (blamed) => ({
        line: blamed.line,
        text: blamed.text,
        kind: blamed.origin.kind,
        step: stepOf(blamed) ?? null,
      }),
      request,
    );
    return { ...where, root, path, unread: unread.slice(0, 100), lines: items };
  } finally {
    traced.close();
  }
}
