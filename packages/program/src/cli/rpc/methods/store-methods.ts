/** Stores: the sessions in them, syncing one, and fetching one that is not on this machine. */

import { SessionError } from "@bough/session/entry/index.js";
import { listAllSessions } from "@bough/session/session/index.js";
import { resolveSession } from "@bough/session/session/internal.js";
import { defined } from "@bough/session/text/index.js";
import type { Store } from "@bough/workbench/store/index.js";
import { chosenStore, storedFacts, storedSessions, withStore } from "@bough/workbench/store/internal.js";
import { z } from "zod";
import { fetchWatched, openFetched } from "../../../command/internal.js";
import { CliError } from "../../cli-error.js";
import { none, page, paged, sessionRef } from "../shape/common-shapes.js";
import { storedSession, storeFields, syncedSession } from "../shape/store-shapes.js";
import { storeStatus } from "../store-events.js";
import { answerPage } from "./answer-page.js";
import { stoppable } from "./file-methods.js";
import { method, type RpcContext } from "./rpc-method.js";

const MOST_CANDIDATES = 10;

const storeName = z
  .string()
  .min(1)
  .optional()
  .describe("The name of a store (default: the one in the settings, or the first).");

export const STORE_METHODS = {
  listStoredSessions: method({
    summary: "A page of the sessions in a store, newest first, including those not on this machine.",
    params: z.strictObject({
      store: storeName,
      scope: z.enum(["project", "all"]).default("project").describe("`project`: only those of this project."),
      ...page,
    }),
    result: z.object({ store: z.string(), project: z.string().nullable(), ...paged, sessions: z.array(storedSession) }),
    async run({ commands }, { store: name, scope, ...request }) {
      const { projectOf } = await import("@bough/workbench/store/index.js");
      const named = chosenStore(commands.home, name);
      const project = scope === "all" ? undefined : await projectOf(commands.cwd);
      const here = new Set((await listAllSessions()).map(({ id }) => id));
      const use = (store: Store) => storedSessions(store, project);
      const found =
        scope === "project" && project === undefined ? [] : await withStore(named, { home: commands.home, use });
      const { items, ...place } = await answerPage(found, (session) => storedFacts(session, here), request);
      return { store: named.name, project: project ?? null, ...place, sessions: items };
    },
  }),
  syncSession: method({
    summary:
      "Exchanges a session with a store: pushes what it lacks and pulls what other machines added. The position does not move. Anything that may contain secrets stays here unless the user or `allowSecrets` permits it.",
    params: z.strictObject({
      session: sessionRef.optional().describe("Default: the current session."),
      store: storeName,
      allowSecrets: z.boolean().default(false),
    }),
    result: z.object({
      store: z.string(),
      synced: syncedSession.nullable().describe("null if there is nothing to sync yet."),
    }),
    async run(context, { session, store, allowSecrets }) {
      const { sync, agent } = context.commands;
      if (sync === undefined) throw new CliError("bad-request", "This program does not sync");
      const local = session === undefined ? undefined : await localOf(context, session);
      if (local !== undefined && local.id !== agent.session.getSessionId())
        return syncOther(context, { ...local, store, allowSecrets });
      const done = await sync.sync({ store, allowSecrets });
      return { store: done.store, synced: done.synced ?? null };
    },
  }),
  fetchSession: method({
    summary:
      "Fetches a session that is only in the store and switches to it; `abort` stops it. A database first sends what is needed to continue, and the rest while the session is open.",
    params: z.strictObject({
      session: z.string().min(1).describe("Its ID, start of ID, or title."),
      open: z.boolean().default(true).describe("Switch to it."),
    }),
    result: z.looseObject({
      kind: z.enum(["fetched", "stopped"]),
      id: z.string().optional(),
      file: z.string().optional(),
      store: z.string().optional(),
      opened: z.boolean(),
      message: z.string().optional().describe("For people."),
      hint: z.string().optional().describe("For people: what to do next."),
    }),
    async run({ commands }, { session: reference, open }) {
      const done = await fetchWatched(commands, reference);
      if (done.kind === "stopped") return { kind: "stopped", opened: false };
      const { value } = done;
      if (value.kind === "none")
        throw new SessionError("session-not-found", `No session in the store matches ${reference}`, {
          data: { reference },
          hint: "listStoredSessions lists them.",
        });
      if (value.kind === "several")
        throw new SessionError("ambiguous-session", `Several sessions in the store match ${reference}`, {
          data: {
            reference,
            candidates: value.sessions.slice(0, MOST_CANDIDATES).map(({ id, title }) => ({ id, title: title ?? null })),
          },
          hint: "listStoredSessions lists them.",
        });
      const facts = { kind: "fetched", id: value.session.id, file: value.file, store: value.store };
      if (!open) return { ...facts, opened: false };
      const opened = await openFetched(commands, value.file);
      const { message, hint } = "message" in opened ? opened : {};
      return { ...facts, opened: opened.kind === "done", ...defined({ message, hint }) };
    },
  }),
  getStoreStatus: method({
    summary:
      "Whether the current session is synced automatically, and how much the store lacks. `store_status` reports changes.",
    params: none,
    result: z.object({
      mode: z.enum(["off", "manual", "turn", "live"]).describe("The setting `sync`."),
      status: z.object(storeFields).nullable().describe("null if it is not synced automatically."),
    }),
    run({ started }) {
      const { sync } = started.parts;
      const { mode, status, name } = sync;
      return { mode, status: status === undefined || name === undefined ? null : storeStatus(status, name) };
    },
  }),
};

/** The session on this machine, or an ID that only the store may know. */
async function localOf({ started }: RpcContext, reference: string): Promise<LocalSession> {
  const { cwd, sessionDir } = started.parts;
  const found = await resolveSession(reference, { cwd, dir: sessionDir });
  if (found.length > 1)
    throw new SessionError("ambiguous-session", `Several sessions match ${reference}`, {
      data: {
        reference,
        candidates: found.slice(0, MOST_CANDIDATES).map(({ id, path, name }) => ({ id, path, name })),
      },
    });
  return { id: found[0]?.id ?? reference, file: found[0]?.path };
}

interface LocalSession {
  readonly id: string;
  readonly file: string | undefined;
}

interface SyncOther extends LocalSession {
  readonly store: string | undefined;
  readonly allowSecrets: boolean;
}

async function syncOther(context: RpcContext, { id, file, store: name, allowSecrets }: SyncOther) {
  const { home, cwd } = context.commands;
  const named = chosenStore(home, name);
  const { lookForSecrets, SyncStates, syncSessions } = await import("@bough/workbench/store/index.js");
  const states = new SyncStates(home, named.address);
  const { synced, skipped } = await stoppable(context, (signal) => {
    const mayLeave = allowSecrets ? async () => "always" as const : lookForSecrets({ signal });
    const files = allowSecrets ? ("all" as const) : ("safe" as const);
    const { contents } = context.started.agent;
    const request = { states, cwd, ids: [id], again: true, mayLeave, files, signal, contents };
    const use = (store: Store) => syncSessions({ store, ...request });
    return withStore(named, { home, use });
  });
  const error = skipped.find((one) => one.error !== undefined)?.error;
  if (error !== undefined) throw error;
  const at = synced[0]?.file ?? file;
  if (at === undefined)
    throw new SessionError("session-not-found", `Session not found: ${id}`, { data: { reference: id } });
  const nothing = { sessionId: id, file: at, pushed: 0, pulled: 0, arrivals: [] };
  const held = skipped.some(({ why }) => why === "secrets");
  return { store: named.name, synced: { ...nothing, ...synced[0], ...(held ? { held } : {}) } };
}
