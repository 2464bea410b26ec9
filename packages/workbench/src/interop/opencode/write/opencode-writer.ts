/** A path as an export that `opencode import` takes in, so that `opencode --session` continues it. */
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
/** The format of exports has been the same since this version. */
const VERSION = "1.0.0";

/**
 * opencode keeps its sessions in a database that only it should write to, so what is written is a file for its own
 * import. The file is one JSON value, a line for each message.
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
  const passed = passedCompactions(facts);
  const messages = function* (): Generator<ExportedMessage> {
    const parts = { ids: new OpencodeIds(seed, now), sessionID, cwd, now: now.getTime() };
    const written = new ExportMessages(parts, firstModel ?? NO_MODEL);
    for (const step of steps) if (!passed.has(step.order)) yield* written.of(step);
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
    lines: { length: messageCount(facts, passed) + 2, [Symbol.iterator]: () => exportLines(head, messages()) },
    losses,
    resume: { before: ["opencode", "import", path], command: ["opencode", "--session", sessionID], cwd },
  };
}

/** A title is shorter. */
const LONG_ENOUGH = 10_000;
const NO_MODEL: Model = { providerID: "unknown", modelID: "unknown" };

/** One JSON value: what begins it, a line for each message, and its end. */
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

/** A compaction is two messages; and an answer that starts a path needs one to answer. */
function messageCount(facts: readonly SpokenFacts[], passed: ReadonlySet<number>): number {
  const kinds = facts.flatMap(({ kind }, order) => (passed.has(order) ? [] : [kind]));
  const compactions = kinds.filter((kind) => kind === "compaction").length;
  return kinds.length + compactions + (kinds[0] === "answer" ? 1 : 0);
}

/** The compactions that a later one goes back behind: they would cut off what the later one keeps. */
function passedCompactions(facts: readonly SpokenFacts[]): ReadonlySet<number> {
  const passed = new Set<number>();
  let keptFrom = facts.length;
  for (let order = facts.length - 1; order >= 0; order--) {
    const { kind, keptFrom: from = order } = facts[order] as SpokenFacts;
    if (kind !== "compaction") continue;
    if (keptFrom < order) passed.add(order);
    keptFrom = Math.min(keptFrom, from);
  }
  return passed;
}
