/** A path as an export that `opencode import` takes in, so that `opencode --session` continues it. */
import { join } from "node:path";
import type { ForeignWriter, WritePlan, WriteRequest } from "../../contract.js";
import type { Program } from "../../conversion/path-losses.js";
import { promptWords } from "../../conversion/prompt-words.js";
import { checkResumeFolder } from "../../conversion/resume-folder.js";
import { type Compaction, type SpokenStep, spokenPath, wordsOf } from "../../conversion/spoken-path.js";
import { opencodeData } from "../opencode-places.js";
import { ExportMessages, modelsOf } from "./export-messages.js";
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
  const spoken = spokenPath(request.entries, PROGRAM);
  const steps = withoutPassedCompactions(spoken.steps);
  const now = request.now();
  const ids = new OpencodeIds(newId(), now);
  const sessionID = ids.session();
  const messages = new ExportMessages({ ids, sessionID, cwd, now: now.getTime() });
  const models = modelsOf(steps);
  const written = steps.flatMap((step) => [...messages.of(step, models.get(step) ?? NO_MODEL)]);
  const time = { created: now.getTime(), updated: now.getTime() };
  const place = { projectID: "global", directory: cwd, version: VERSION };
  const info = { id: sessionID, slug: `bough-${sessionID.slice(-8).toLowerCase()}`, title: titleOf(request, steps) };
  const path = join(opencodeData(places), "bough", `${sessionID}.json`);
  const last = written.length - 1;
  return {
    agent: "opencode",
    path,
    sessionId: sessionID,
    lines: [
      `{"info":${JSON.stringify({ ...info, ...place, time })},"messages":[`,
      ...written.map((message, at) => `${JSON.stringify(message)}${at === last ? "" : ","}`),
      "]}",
    ],
    losses: spoken.losses,
    resume: { before: ["opencode", "import", path], command: ["opencode", "--session", sessionID], cwd },
  };
}

const NO_MODEL = { providerID: "unknown", modelID: "unknown" };

/** A compaction that a later one goes back behind would cut off what the later one keeps. */
function withoutPassedCompactions(steps: readonly SpokenStep[]): SpokenStep[] {
  const isPassed = (compaction: Compaction, at: number) =>
    steps.slice(at + 1).some((later) => {
      const [first] = later.kind === "compaction" ? later.kept : [];
      return first !== undefined && steps.indexOf(first) < steps.indexOf(compaction);
    });
  return steps.filter((step, at) => step.kind !== "compaction" || !isPassed(step, at));
}

function titleOf({ title }: WriteRequest, steps: readonly SpokenStep[]): string {
  const first = steps.find((step) => step.kind === "prompt");
  return title ?? promptWords(first === undefined ? undefined : wordsOf(first.content)) ?? "Session from Bough";
}
