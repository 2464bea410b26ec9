/** Two branches side by side, and which turns the user selected. */
import type { BranchComparison } from "@bough/agent/agent/index.js";
import { type EntryId, entryText, type SessionEntry } from "@bough/session/entry/index.js";
import { branchIndexOf, isPromptAt, type TreeSource } from "@bough/session/tree/index.js";
import { type CompareModel, type CompareTurn, comparedPaths, compareModel } from "@bough/session/view/internal.js";
import { branchOf, recordedChanges } from "../../command/index.js";
import type { ScreenApp } from "../app/screen.js";

type Side = "a" | "b";

export class OpenCompare {
  readonly app: ScreenApp;
  readonly comparison: BranchComparison;
  model: CompareModel;
  readonly picked = new Set<EntryId>();
  side: Side = "b";
  row = 0;
  top = 0;
  /** Show the two selected turns in full. */
  words = false;

  /** Throws `Entry <id> not found`. */
  constructor(app: ScreenApp, { a, b }: { readonly a: EntryId; readonly b: EntryId }) {
    this.app = app;
    const { session } = app.context.agent;
    this.comparison = app.context.agent.compare(a, b);
    const shared = sharedTurn(session.getSource(), this.comparison.sharedId);
    this.model = compareModel({
      comparison: this.comparison,
      a: branchOf(app.context, a),
      b: branchOf(app.context, b),
      shared: shared === undefined ? null : { text: entryText(shared), time: Date.parse(shared.timestamp) },
    });
    if (this.count("b") === 0) this.side = "a";
  }

  /**
   * Reads the recorded file changes, because a shell command changes files that no call names. Returns whether there
   * were any. Failures are ignored: comparing must always work.
   */
  async readFiles(): Promise<boolean> {
    const { a, b } = this.comparison;
    const changed = await recordedChanges(this.app.context, { a: a.tipId, b: b.tipId }).catch(() => undefined);
    if (changed === undefined) return false;
    this.model = { ...this.model, files: comparedPaths(changed) };
    return true;
  }

  /** How many turns a side has. */
  count(side: Side): number {
    return this.comparison[side].steps.length;
  }

  get turn(): CompareTurn | undefined {
    return this.model.rows[this.row]?.[this.side];
  }

  /** Selects this row on this side, or the nearest existing one. */
  select(row: number): void {
    this.row = Math.max(0, Math.min(this.count(this.side) - 1, row));
  }

  choose(side: Side): void {
    this.side = side;
    this.select(this.row);
  }

  showWords(words: boolean): void {
    this.words = words;
    this.top = 0;
  }

  get tipId(): EntryId {
    return this.comparison[this.side].tipId;
  }
}

/** How far up to search for the prompt of the turn in which they split. */
const PROMPT_DISTANCE = 500;

/** The prompt of the last turn they share. Their last shared entry may be a tool result or a label. */
function sharedTurn({ tree, entryAt }: TreeSource, sharedId: EntryId | null): SessionEntry | undefined {
  const shared = sharedId === null ? -1 : tree.ids.findText(sharedId);
  if (shared < 0) return undefined;
  const branches = branchIndexOf(tree);
  const conversation = branches.conversationAt(shared);
  for (let at = conversation, steps = 0; at >= 0 && steps < PROMPT_DISTANCE; steps++) {
    if (isPromptAt(tree, at)) return entryAt(at);
    at = branches.conversationParentOf(at);
  }
  return entryAt(conversation < 0 ? shared : conversation);
}
