/** Writes a path as an export for `opencode import`, so that `opencode --session` can continue it. */
import { join } from "node:path";
import type { ForeignWriter, WritePlan, WriteRequest } from "../../contract.js";
import type { Program } from "../../conversion/path-losses.js";
import { promptWords } from "../../conversion/prompt-words.js";
import { checkResumeFolder } from "../../conversion/resume-folder.js";
import { type SpokenFacts, spokenPath, wordsOf } from "../../conversion/spoken-path.js";
import { opencodeData } from "../opencode-places.js";
import { type ExportedMessage, ExportMessages, type Model, modelOf } from "./export-messages.js";
import { OpencodeIds } from "./opencode-ids.js";

export const opencodeWriter: ForeignWriter = { agent: "opencode", planWrite: planExport };

const PROGRAM: Program = { title: "opencode", signs: "anthropic", names: "kept" };
/** The export format has not changed since this version. */
const VERSION = "1.0.0";

/**
 * opencode stores its sessions in a database that only it should write to, so this writes a file for its own import:
 * one JSON value with a line per message.
 */
function planExport(request: WriteRequest): WritePlan {
  const { cwd, places, newId } = request;
  checkResumeFolder("opencode", cwd, { mustExist: true });
  let firstPrompt: string | undefined;
  let firstModel: Model | undefined;
  const { steps, facts, losses } = spokenPath(request.entries, {
    program: PROGRAM,
    onStep: (step) => {
      if (step.kind === "prompt") firstPrompt ??= wordsOf(step.content).slice(0, LONG_ENOUGH);
      if (step.kind === "answer") firstModel ??= modelOf(step);
    },
  });
  const now = request.now();
  const seed = newId();
  const sessionID = new OpencodeIds(seed, now).session();
  const superseded = supersededCompactions(facts);
  const messages = function* (): Generator<ExportedMessage> {
    const parts = { ids: new OpencodeIds(seed, now), sessionID, cwd, now: now.getTime() };
    const written = new ExportMessages(parts, firstModel ?? NO_MODEL);
    for (const step of steps) if (!superseded.has(step.order)) yield* written.of(step);
  };
  const time = { created: now.getTime(), updated: now.getTime() };
  const place = { projectID: "global", directory: cwd, version: VERSION };
  const info = {
    id: sessionID,
    slug: `bough-${sessionID.slice(-8).toLowerCase()}`,
    title: request.title ?? promptWords(firstPrompt) ?? "Session from Bough",
  };
  const path = join(opencodeData(places), "bough", `${sessionID}.json`);
  const head = `{"info":${JSON.stringify({ ...info, ...place, time })},"messages":[`;
  return {
    agent: "opencode",
    path,
    sessionId: sessionID,
    lines: { length: messageCount(facts, superseded) + 2, [Symbol.iterator]: () => exportLines(head, messages()) },
    losses,
    resume: { before: ["opencode", "import", path], command: ["opencode", "--session", sessionID], cwd },
  };
}

/** More characters than a title uses. */
const LONG_ENOUGH = 10_000;
const NO_MODEL: Model = { providerID: "unknown", modelID: "unknown" };

/** The lines of one JSON value: its head, a line per message, and its end. */
function* exportLines(head: string, messages: Iterable<ExportedMessage>): Generator<string> {
  yield head;
  let previous: ExportedMessage | undefined;
  for (const message of messages) {
    if (previous !== undefined) yield `${JSON.stringify(previous)},`;
    previous = message;
  }
  if (previous !== undefined) yield JSON.stringify(previous);
  yield "]}";
}

/** Counts a compaction as two messages, and adds a placeholder prompt before an answer that starts the path. */
function messageCount(facts: readonly SpokenFacts[], superseded: ReadonlySet<number>): number {
  const kinds = facts.flatMap(({ kind }, order) => (superseded.has(order) ? [] : [kind]));
  const compactions = kinds.filter((kind) => kind === "compaction").length;
  return kinds.length + compactions + (kinds[0] === "answer" ? 1 : 0);
}

/** Compactions that a later one supersedes: they would cut off entries that the later one keeps. */
function supersededCompactions(facts: readonly SpokenFacts[]): ReadonlySet<number> {
  const superseded = new Set<number>();
  let keptFrom = facts.length;
  for (let order = facts.length - 1; order >= 0; order--) {
    const { kind, keptFrom: from = order } = facts[order] as SpokenFacts;
    if (kind !== "compaction") continue;
    if (keptFrom < order) superseded.add(order);
    keptFrom = Math.min(keptFrom, from);
  }
  return superseded;
}
