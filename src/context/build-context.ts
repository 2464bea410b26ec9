import { type AgentMessage, type ContextReplacement, Kind, Role } from "../entry/index.js";
import { editMessage, isReplacement } from "./edit-message.js";
import { entryMessage } from "./entry-message.js";
import { type PathMarks, readPathMarks } from "./path-marks.js";
import { pathModel } from "./path-model.js";
import type { PathSource } from "./path-source.js";
import { repairPairs } from "./repair-pairs.js";
import type { SessionContext, SessionState } from "./session-context.js";
import { visiblePath } from "./visible-path.js";

/**
 * What the model is shown at the leaf, and the state there.
 *
 * With a compaction on the path the latest one counts: its summary, the entries it keeps, what follows. The latest edit
 * of each entry applies. Tool calls and results are paired. The same path always gives the same bytes. The cost follows
 * what is shown and the number of marks, not the length of the path. Odd entries contribute what can be read of them;
 * nothing in an entry makes this throw.
 */
export function buildContext(source: PathSource): SessionContext {
  const marks = readPathMarks(source);
  const path = visiblePath(source, marks);
  const edits = readEdits(source, path);
  const messages: AgentMessage[] = [];
  const show = (n: number, position: number): void => {
    const message = contribution(source, { n, edit: editAfter(edits.get(n), position) });
    if (message !== null) messages.push(message);
  };
  const compactionPosition = path.indexOf(marks.compactionNumber);
  if (compactionPosition >= 0) show(marks.compactionNumber, compactionPosition);
  for (const [position, n] of path.entries()) if (speaks(source.kindOf(n))) show(n, position);
  return {
    messages: repairPairs(messages),
    ...stateOf(source, marks),
  };
}

/** The state alone. Reads marks and no message but the last answer, however long the path is. */
export function buildState(source: PathSource): SessionState {
  return stateOf(source, readPathMarks(source));
}

function stateOf(source: PathSource, marks: PathMarks): SessionState {
  return {
    thinkingLevel: marks.thinkingLevel,
    model: pathModel(source),
    mode: marks.mode,
    injectedRules: marks.injectedRules,
    ...(marks.modeData === undefined ? {} : { modeData: marks.modeData }),
  };
}

interface Edit {
  /** Where the edit itself stands on the visible path. */
  readonly position: number;
  readonly replacement: ContextReplacement;
}

interface Shown {
  readonly n: number;
  readonly edit: Edit | undefined;
}

/** The latest edit per target. Edits above the visible part are not read: what they could change is not shown. */
function readEdits(source: PathSource, path: readonly number[]): Map<number, Edit> {
  const edits = new Map<number, Edit>();
  for (const [position, n] of path.entries()) {
    if (source.kindOf(n) !== Kind.contextEdit) continue;
    const entry = source.entryAt(n);
    if (entry.type !== "context_edit" || typeof entry.targetId !== "string") continue;
    const replacement: unknown = entry.replacement;
    if (isReplacement(replacement)) edits.set(source.numberOf(entry.targetId), { position, replacement });
  }
  return edits;
}

/** An edit changes what stands above it. One that names a later entry would come and go with a compaction. */
function editAfter(edit: Edit | undefined, position: number): Edit | undefined {
  return edit !== undefined && edit.position > position ? edit : undefined;
}

function contribution(source: PathSource, { n, edit }: Shown): AgentMessage | null {
  // Only a tool result leaves something behind; anything else that is left out need not be parsed.
  if (edit?.replacement === null && source.roleOf(n) !== Role.toolResult) return null;
  const message = entryMessage(source.entryAt(n));
  return message === null || edit === undefined ? message : editMessage(message, edit.replacement);
}

/** The kinds that speak where they stand. A compaction speaks first, wherever it stands, and only the latest one. */
function speaks(kind: Kind): boolean {
  return kind === Kind.message || kind === Kind.branchSummary || kind === Kind.customMessage;
}
