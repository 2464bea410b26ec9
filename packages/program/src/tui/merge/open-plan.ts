/** The state of a plan panel: what would be added, which turns were removed, and how it is carried out. */
import { estimateEntryTokens } from "@bough/agent/agent/internal.js";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { type PlanFiles, type PlanModel, type PlanTurn, planTurns } from "@bough/session/view/internal.js";
import type { FilePlan } from "@bough/workbench/checkpoint/index.js";
import { branchOf, type CommandContext, type CommandOutcome, currentBranch, onMerge } from "../../command/index.js";

export interface OpenPlan {
  readonly model: () => PlanModel;
  readonly turns: readonly PlanTurn[];
  readonly dropped: Set<number>;
  /** A summary covers everything, so single turns cannot be removed from it. */
  readonly form: "summary" | "turns";
  /** The alternative form; undefined if there is only one. */
  readonly changeForm: (() => void) | undefined;
  /** Instructions for the summary. */
  instructions: string | undefined;
  apply(): Promise<CommandOutcome>;
}

/** What is known of the files that a plan would bring; the panel fills it in when they are planned. */
export class PlannedFiles {
  readonly #context: CommandContext;
  #known: PlanFiles | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  get facts(): PlanFiles | undefined {
    return this.#known;
  }

  /** Plans them and calls back if there are any. Without them, the plan is about words alone. */
  async find(plan: () => Promise<FilePlan>, onFound: () => void): Promise<void> {
    const setting = onMerge(this.#context);
    if (setting === "stay" || !this.#context.agent.followsFiles) return;
    try {
      const { files, conflicts } = await plan();
      if (files.length + conflicts.length === 0) return;
      this.#known = { count: files.length + conflicts.length, conflicts: conflicts.length, isAsked: setting === "ask" };
      onFound();
    } catch {
      // Enter plans them again, and says why they stay.
    }
  }
}

/** The turns to add, with the files that both sides changed. */
export function turnsToBring({ agent }: CommandContext, entries: readonly SessionEntry[]): PlanTurn[] {
  const [first] = entries;
  const leafId = agent.session.getLeafId();
  const changed = first === undefined || leafId === null ? [] : agent.compare(leafId, first.id).a.files.modifiedFiles;
  return planTurns(entries, { tokensOf: estimateEntryTokens, changedThere: new Set(changed) });
}

/** The ids of the turns that were not removed. */
export function keptIds({ turns, dropped }: Pick<OpenPlan, "turns" | "dropped">): EntryId[] {
  return turns.flatMap(({ ids }, index) => (dropped.has(index) ? [] : ids));
}

/** The branch the entries are on, and the one they are added to. */
export function branchesOfPlan(context: CommandContext, ids: readonly EntryId[]) {
  const [first] = ids;
  const from = first === undefined ? undefined : branchOf(context, first);
  const same = ids.every((id) => branchOf(context, id).number === from?.number);
  return { from: same ? from : undefined, onto: currentBranch(context.agent.session) };
}
