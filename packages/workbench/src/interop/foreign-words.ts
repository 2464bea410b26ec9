/** Describes other agents' sessions. Text from the sessions is made safe to display. */
import { basename } from "node:path";
import { counted, type Notice, titleOf } from "@bough/session/text/index.js";
import type { AgentName, ForeignSession } from "./contract.js";

/** Its name, or else its first prompt, or else a placeholder. */
export function foreignTitle({ title, firstPrompt }: ForeignSession, most?: number): string {
  return titleOf(title ?? "", most) || titleOf(firstPrompt ?? "", most) || "(nothing said yet)";
}

/** Its reference in a command: the file, plus the ID if that is not in the file name, as for a database. */
export function foreignReference({ path, id }: ForeignSession): string {
  return basename(path).includes(id) ? path : `${path}#${id}`;
}

/** Its row in a list of sessions, with the reference as `path`. */
export function foreignListed(session: ForeignSession) {
  const { agent, id, cwd, title, firstPrompt, modified, size } = session;
  const said = { name: undefined, firstMessage: title ?? firstPrompt ?? "" };
  const counts = { messageCount: undefined, branchCount: undefined };
  return { agent, path: foreignReference(session), id, cwd, modified, size, ...said, ...counts };
}

/** Its line in a plain-text list. */
export function foreignRow(session: ForeignSession): string {
  const folder = session.cwd === "" ? "" : `  ${titleOf(session.cwd, 60)}`;
  return `  ${titleOf(session.id, 60)}  ${session.agent}  ${foreignTitle(session)}${folder}`;
}

/** The session as data for JSON output. */
export function foreignFacts(session: ForeignSession): Readonly<Record<string, unknown>> {
  const { agent, id, path, cwd, title, firstPrompt, created, modified, size } = session;
  return {
    agent,
    id,
    path,
    cwd,
    title: title ?? firstPrompt ?? null,
    created: created.toISOString(),
    modified: modified.toISOString(),
    size,
  };
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** `Found 14 sessions from two other agents.` and `/import shows them.` */
export function foundForeignNotice(sessions: number, agents: ReadonlySet<AgentName>): Notice {
  const others = agents.size === 1 ? "another agent" : `${NUMBERS[agents.size] ?? agents.size} other agents`;
  return {
    message: `Found ${counted(sessions, "session")} from ${others}.`,
    hint: `/import shows ${sessions === 1 ? "it" : "them"}.`,
  };
}
