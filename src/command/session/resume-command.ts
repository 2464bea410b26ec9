/** /resume: another session of this folder. */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { listSessions, type SessionInfo } from "../../session/index.js";
import { matchByIdOrName } from "../../session/internal.js";
import { titleOf } from "../../text/index.js";
import { splitWords } from "../arguments.js";
import { working } from "../availability.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { shown, unchanged } from "../outcome.js";
import { SENTENCES, severalSessionsSentence } from "../sentences.js";
import { openFile } from "./open-file.js";

const SHOWN = 20;

export const RESUME_COMMAND: Command = {
  name: "resume",
  group: "session",
  usage: "[file|id|name|words]",
  summary: "Switch to another session",
  details:
    "Opens a session in this folder by file, ID, start of ID, name, or words from its first prompt. Without an argument, lists them.",
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
    if (wanted === "") return sessionListing(sessions);
    const found = matches(sessions, wanted);
    const [only] = found;
    if (only === undefined) return unchanged(SENTENCES.noSession(wanted), "session-not-found");
    if (found.length === 1) return opened(context, only);
    if (screen) return shown(context.front, { screen: "resume", search: wanted });
    return unchanged(severalSessionsSentence(wanted, found.slice(0, SHOWN).map(row)), "ambiguous-reference");
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

function sessionListing(sessions: readonly SessionInfo[]): CommandOutcome {
  if (sessions.length === 0) return unchanged(SENTENCES.noSessions);
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
    message: [...listed.map(row), ...more].join("\n"),
    data: { total: sessions.length, sessions: data },
  };
}

function row(info: SessionInfo): string {
  return `  ${info.id}  ${nameOf(info)}`;
}

function nameOf({ name, firstMessage }: SessionInfo): string {
  return titleOf(name ?? firstMessage) || "(empty)";
}
