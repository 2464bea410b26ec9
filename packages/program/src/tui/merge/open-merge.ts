/** `/merge` and M: what merging another branch would add, as a summary or turn by turn. */
import { planMerge } from "@bough/agent/agent/plan.js";
import { branchOf, cherryPickHere, currentBranch, mergeHere, SENTENCES, showOutcome } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { keptIds, type OpenPlan, PlannedFiles, turnsToBring } from "./open-plan.js";
import { openPlan } from "./plan-panel.js";

/** Throws `Entry <id> not found`, and `not-on-another-branch` for an entry of this path. */
export const openMerge: Screen<"merge"> = async (app, { tipId }) => {
  const { context } = app;
  const { session } = context.agent;
  const planned = planMerge(session, tipId);
  if (planned.kind === "unchanged") {
    // Its files may not be here yet.
    if (context.agent.followsFiles) showOutcome(context.front, await mergeHere(context, { tipId }));
    else context.front.tell({ message: SENTENCES.mergedBefore });
    return;
  }
  const turns = turnsToBring(context, planned.entries);
  const dropped = new Set<number>();
  const branches = { from: branchOf(context, tipId), onto: currentBranch(session) };
  let form: OpenPlan["form"] = "summary";
  const files = new PlannedFiles(context);
  void files.find(
    () => context.agent.planMergeFiles(tipId),
    () => app.host.redraw(),
  );
  const plan: OpenPlan = {
    model: () => ({
      kind: "merge",
      ...branches,
      turns,
      dropped: form === "summary" ? NONE : dropped,
      form,
      files: files.facts,
    }),
    turns,
    dropped,
    get form() {
      return form;
    },
    changeForm: () => {
      form = form === "summary" ? "turns" : "summary";
    },
    instructions: undefined,
    apply() {
      if (form === "summary") return mergeHere(context, { tipId, as: "summary", instructions: this.instructions });
      // With turns removed it is no longer the whole branch: the remaining ones are copied one by one.
      return dropped.size === 0
        ? mergeHere(context, { tipId, as: "turns" })
        : cherryPickHere(context, keptIds({ turns, dropped }));
    },
  };
  await openPlan(app, plan);
};

const NONE: ReadonlySet<number> = new Set();
