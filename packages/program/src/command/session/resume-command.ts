/** /resume: another session of this folder. */

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { listSessions, type SessionInfo } from "@bough/session/session/index.js";
import { matchByIdOrName } from "@bough/session/session/internal.js";
import { asNotice, errorText, type Notice, titleOf } from "@bough/session/text/index.js";
import type { StoredSession } from "@bough/workbench/store/index.js";
import { looksInStore, sessionsNotHere } from "@bough/workbench/store/internal.js";
import { splitWords } from "../arguments.js";
import { working } from "../availability.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { shown, unchanged } from "../outcome.js";
import { SENTENCES, severalSessionsNotice } from "../sentences.js";
import { openStored } from "../sync/open-stored.js";
import { openFile } from "./open-file.js";

const SHOWN = 20;
const STORE_MS = 3_000;

export const RESUME_COMMAND: Command = {
  name: "resume",
  group: "session",
  usage: "[file|id|name|words]",
  summary: "Switch to another session",
  details:
    "Opens a session in this folder by file, ID, start of ID, name, or words from its first prompt; or one that is only in the store, by ID, start of ID or title. Without an argument, lists them, and the project's sessions in the store that are not on this machine yet.",
  async complete(context, typed) {
    if (typed.trim().length < 2) return [];
    const found = matches(await listSessions(context.sessionDir), typed.trim());
    return found.slice(0, SHOWN).map((info) => ({ value: info.id, description: nameOf(info) }));
  },
  unavailable: working,
  async run(context, args) {
    const wanted = splitWords(args).join(" ");
    const screen = context.front.screens.has("resume");
    if (wanted === "" && screen) return shown(context.front, { screen: "resume" });
    const path = resolve(context.cwd, wanted);
    if (wanted !== "" && existsSync(path) && statSync(path).isFile()) return openFile(context, path);
    const sessions = await listSessions(context.sessionDir);
    if (wanted === "") return sessionListing(sessions, await notHereSoon(context));
    const found = matches(sessions, wanted);
    const [only] = found;
    if (only === undefined) return openStored(context, wanted);
    if (found.length === 1) return opened(context, only);
    if (screen) return shown(context.front, { screen: "resume", search: wanted });
    return unchanged(severalSessionsNotice(wanted, found.slice(0, SHOWN).map(row)), "ambiguous-reference");
  },
};

function opened(context: CommandContext, info: SessionInfo): Promise<CommandOutcome> | CommandOutcome {
  if (info.id === context.agent.session.getSessionId()) return unchanged(SENTENCES.alreadyHere);
  return openFile(context, info.path);
}

function matches(sessions: readonly SessionInfo[], wanted: string): readonly SessionInfo[] {
  return matchByIdOrName(sessions, wanted, {
    nameOf: ({ name }) => name,
    wordsOf: ({ name, firstMessage }) => `${name ?? ""} ${firstMessage}`,
  });
}

interface NotHereSoon {
  readonly sessions: readonly StoredSession[];
  /** Why there may be more. */
  readonly why?: Notice;
}

/** A slow store does not delay the list. */
async function notHereSoon(context: CommandContext): Promise<NotHereSoon> {
  if (!looksInStore(context.home)) return { sessions: [] };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<NotHereSoon>((resolve) => {
    const why = { message: "The store has not answered yet.", hint: "To list its sessions: bough ls --store" };
    timer = setTimeout(() => resolve({ sessions: [], why }), STORE_MS);
  });
  const asked = sessionsNotHere(context, "project").catch((error: unknown) => ({
    sessions: [],
    why: { message: `Sessions of other machines are not shown: ${errorText(error)}` },
  }));
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

function sessionListing(sessions: readonly SessionInfo[], notHere: NotHereSoon): CommandOutcome {
  const others = notHere.sessions.slice(0, SHOWN);
  const rest = notHere.sessions.length > SHOWN ? [`  and ${notHere.sessions.length - SHOWN} more in the store`] : [];
  const stored = [...others.map(storedRow), ...rest, ...(notHere.why === undefined ? [] : [notHere.why.message])];
  if (sessions.length === 0 && stored.length === 0) return unchanged(SENTENCES.noSessions);
  const more = sessions.length > SHOWN ? [`  and ${sessions.length - SHOWN} more`] : [];
  const listed = sessions.slice(0, SHOWN);
  const data = listed.map(({ id, path, name, modified }) => ({
    id,
    path,
    name: name ?? null,
    modified: modified.toISOString(),
  }));
  return {
    kind: "done",
    ...asNotice({
      message: [...listed.map(row), ...more, ...stored].join("\n"),
      hint: notHere.why?.hint ?? "/resume <name or ID> opens one.",
    }),
    data: {
      total: sessions.length,
      sessions: data,
      stored: others.map(({ id, title }) => ({ id, title: title ?? null })),
    },
  };
}

function row(info: SessionInfo): string {
  return `  ${info.id}  ${nameOf(info)}`;
}

function storedRow({ id, title = "", replicas }: StoredSession): string {
  const machines = replicas.map(({ name }) => name).join(", ");
  return `  ${id}  ${titleOf(title) || "(empty)"}  ⇅ ${titleOf(machines)}, not here yet`;
}

function nameOf({ name, firstMessage }: SessionInfo): string {
  return titleOf(name ?? firstMessage) || "(empty)";
}
