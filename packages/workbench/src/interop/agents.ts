/** The readers and writers of all supported agents. */
import { claudeReader } from "./claude-code/claude-reader.js";
import { claudeWriter } from "./claude-code/claude-writer.js";
import { codexReader } from "./codex/codex-reader.js";
import { codexWriter } from "./codex/write/codex-writer.js";
import type { AgentName, ForeignReader, ForeignSession, ForeignWriter } from "./contract.js";
import { geminiReader } from "./gemini/gemini-reader.js";
import { geminiWriter } from "./gemini/write/gemini-writer.js";
import { forHandoff } from "./handoff/handed-path.js";
import { InteropError } from "./interop-error.js";
import { opencodeReader } from "./opencode/opencode-reader.js";
import { opencodeWriter } from "./opencode/write/opencode-writer.js";
import { piReader } from "./pi/pi-reader.js";
import { piWriter } from "./pi/pi-writer.js";

/** One reader per agent whose sessions can be read. */
export const READERS: readonly ForeignReader[] = [claudeReader, piReader, codexReader, geminiReader, opencodeReader];

/** One writer per agent that a session can be handed off to. */
export const WRITERS: readonly ForeignWriter[] = [
  forHandoff(claudeWriter),
  forHandoff(piWriter),
  forHandoff(codexWriter),
  forHandoff(geminiWriter),
  forHandoff(opencodeWriter),
];

/** The reader for an agent's sessions. */
export function readerFor(agent: AgentName): ForeignReader {
  const reader = READERS.find((candidate) => candidate.agent === agent);
  if (reader === undefined) throw new Error(`bug: no reader for ${agent}`);
  return reader;
}

/** Throws `no-writer` if sessions cannot be handed off to the agent. */
export function writerFor(agent: AgentName): ForeignWriter {
  const writer = WRITERS.find((candidate) => candidate.agent === agent);
  if (writer !== undefined) return writer;
  const known = WRITERS.map((candidate) => candidate.agent).join(", ");
  throw new InteropError("no-writer", `Sessions cannot be written for ${agent}`, {
    data: { agent },
    hint: `Choose one of: ${known}`,
  });
}

/** The reader that recognizes a file; undefined if none does. */
export async function detectAgent(path: string): Promise<ForeignReader | undefined> {
  for (const reader of READERS) if (await reader.detect(path)) return reader;
  return undefined;
}

/** The session in a file. For a database with several, `id` selects one. */
export async function foreignSessionAt(path: string, id?: string): Promise<ForeignSession> {
  const reader = await detectAgent(path);
  if (reader === undefined) {
    throw new InteropError("not-a-transcript", `${path} is not a transcript that Bough can read`, {
      data: { path },
      hint: `Supported agents: ${READERS.map((known) => known.agent).join(", ")}`,
    });
  }
  const sessions = await reader.describe(path);
  const chosen = id === undefined ? sessions : sessions.filter((session) => session.id === id);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  const data = { path, id, sessions: sessions.map((session) => session.id) };
  if (only === undefined) {
    throw new InteropError("no-such-session", `${path} contains no session${id === undefined ? "" : ` ${id}`}`, {
      data,
      hint: "List the sessions of the file to see their IDs.",
    });
  }
  throw new InteropError("several-sessions", `${path} contains ${chosen.length} sessions`, {
    data,
    hint: "Choose one by its ID.",
  });
}
