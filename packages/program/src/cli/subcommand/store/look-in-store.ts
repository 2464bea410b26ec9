/** `bough ls --store` and `bough search --store`: what is in a store, and which of it is not on this machine. */

import { boughHome, listAllSessions } from "@bough/session/session/index.js";
import { firstWords, shortAge, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { type NamedStore, projectOf, type Store, type StoredSession } from "@bough/workbench/store/index.js";
import { chosenStore, storedFacts, storedSessions, withStore } from "@bough/workbench/store/internal.js";
import { usageError } from "../../cli-error.js";
import { safeJson } from "../../safe-json.js";
import { listLimit } from "../list-limit.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";
import { storeFlag } from "./store-flag.js";

const ID_LENGTH = 8;

export async function listStore(call: SubcommandCall): Promise<number> {
  const { out } = call;
  refuse(call, ["all-agents", "agent", "archived", "exact", "sort"]);
  return looking(call, async ({ named, store, project, here }) => {
    const sessions = await storedSessions(store, project);
    const shown = sessions.slice(0, listLimit(call));
    if (out.json) {
      const rows = shown.map((session) => storedFacts(session, here));
      out.value({ store: named.name, project: project ?? null, sessions: rows });
      return 0;
    }
    if (!out.isTerminal) {
      await out.raw(storedTsv(shown, here));
      return 0;
    }
    const flag = storeFlag(boughHome(), named.name);
    if (shown.length === 0) {
      const what = project === undefined ? "any project" : "this project";
      out.line(`Nothing of ${what} in ${named.name}. To sync: bough sync${flag}`);
    }
    const now = call.now().getTime();
    for (const session of shown) {
      const { id, title = "", updated, replicas } = session;
      const age = updated === undefined ? "" : shortAge(updated.getTime(), now);
      const from = replicas.map(({ name }) => withoutControls(name)).join(", ");
      out.line([
        span(id.slice(0, ID_LENGTH), "accent"),
        span(`  ${firstWords(withoutControls(title), 50)}`),
        span(`  ${age}  ${from}`, "muted"),
        ...(here.has(id) ? [] : [span("  not here yet", "note")]),
      ]);
    }
    // Opening one by ID uses the default store.
    const get = flag === "" ? "To open one that is not here yet: bough -r <id>" : `To get one: bough sync <id>${flag}`;
    if (shown.some(({ id }) => !here.has(id))) out.notice(get);
    if (shown.length < sessions.length) out.notice(`${sessions.length - shown.length} more: -n ${sessions.length}`);
    return 0;
  });
}

const TSV_HEADING = ["id", "name", "last", "project", "folder", "machines", "here"];

/** A heading and a line for each, like `bough ls` in a pipe. Unknown values are empty. */
function* storedTsv(sessions: readonly StoredSession[], here: ReadonlySet<string>): Generator<string> {
  yield `${TSV_HEADING.join("\t")}\n`;
  for (const { id, title = "", updated, project = "", cwd = "", replicas } of sessions) {
    const machines = replicas.map(({ name }) => name).join(", ");
    const cells = [id, title, updated?.toISOString() ?? "", project, cwd, machines, here.has(id) ? "yes" : "no"];
    // A tab or a line break inside a text would break the columns.
    yield `${cells.map((cell) => cell.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")).join("\t")}\n`;
  }
}

/** Exits with 1 if nothing is found. */
export async function searchStore(call: SubcommandCall, limit: number | undefined): Promise<number> {
  const { out, args, signal } = call;
  refuse(call, ["all-agents", "agent", "in", "role", "case"]);
  return looking(call, async ({ named, store, project, here }) => {
    if (named.passphrase !== undefined && !out.json)
      out.notice(`${named.name} is encrypted, so it is searched on this machine.`);
    const progress = new StatusLine();
    progress.say(`Searching ${named.name}`);
    const query = { words: args.join(" "), signal, limit, project };
    const hits = await store.search(query).finally(() => progress.clear());
    let session = "";
    for (const { sessionId, title = "", entryId, role, at, excerpt, state } of hits) {
      if (out.json) {
        const hit = { store: named.name, sessionId, title, entryId, role: role ?? null, timestamp: at ?? null };
        await out.raw([`${safeJson({ type: "hit", ...hit, excerpt, state, here: here.has(sessionId) })}\n`]);
        continue;
      }
      if (sessionId !== session) {
        const mark = here.has(sessionId) ? "" : "  not here yet";
        out.line([
          span(session === "" ? "" : "\n"),
          span(flat(title) || "session", "strong"),
          span(`  ${sessionId}${mark}`, "muted"),
        ]);
      }
      session = sessionId;
      const age = at === undefined ? "" : `  ${shortAge(Date.parse(at), call.now().getTime())}`;
      out.line([
        span(`  ${sessionId.slice(0, ID_LENGTH)}#${entryId}`, "accent"),
        span(`  ${role ?? "entry"}${age}${STATES[state]}`, "muted"),
      ]);
      out.line(`    ${flat(excerpt)}`);
    }
    if (out.json) await out.raw([`${safeJson({ type: "end", hits: hits.length })}\n`]);
    else if (hits.length === 0) {
      const where = project === undefined ? named.name : `this project's sessions in ${named.name}`;
      const [first = ""] = args;
      // If it named a configured store, it would not be among the words.
      const meant =
        args.length > 1 && call.flags.text("store") === ""
          ? ` To search a store called ${first}: --store=${first}`
          : "";
      out.notice(
        `Nothing in ${where} matches ${args.join(" ")}.${project === undefined ? "" : " To search every project: --all."}${meant}`,
      );
    }
    return hits.length === 0 ? 1 : 0;
  });
}

const STATES = { active: "", abandoned: "  on an abandoned branch", compacted: "  before a compaction" } as const;

interface Looking {
  readonly named: NamedStore;
  readonly store: Store;
  /** Undefined for every project. */
  readonly project: string | undefined;
  /** IDs of sessions on this machine. */
  readonly here: ReadonlySet<string>;
}

async function looking(call: SubcommandCall, look: (looking: Looking) => Promise<number>): Promise<number> {
  const { flags, places } = call;
  const home = boughHome();
  const named = chosenStore(home, flags.text("store"));
  const project = flags.isOn("all") ? undefined : await projectOf(places.cwd);
  const here = new Set((await listAllSessions()).map(({ id }) => id));
  return withStore(named, { home, use: (store) => look({ named, store, project, here }) });
}

function refuse({ flags }: SubcommandCall, names: readonly string[]): void {
  const wrong = names.find((name) => flags.isOn(name));
  if (wrong !== undefined) throw usageError(`--store cannot be combined with --${wrong}`);
}

function flat(text: string): string {
  return withoutControls(text).replace(/\s+/g, " ");
}
