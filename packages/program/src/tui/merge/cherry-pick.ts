/** `/cherry-pick` and p: which turns would be copied here. */
import { planCherryPick } from "@bough/agent/agent/plan.js";
import { cherryPickHere, showOutcome } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { branchesOfPlan, keptIds, type OpenPlan, PlannedFiles, turnsToBring } from "./open-plan.js";
import { openPlan } from "./plan-panel.js";

/** Throws `Entry <id> not found`. If there is nothing to copy, says so instead of showing a plan. */
export const openCherryPick: Screen<"cherry-pick"> = async (app, { ids }) => {
  const { context } = app;
  const { groups, skipped } = planCherryPick(context.agent.session, ids);
  if (groups.length === 0) {
    showOutcome(context.front, await cherryPickHere(context, ids));
    return;
  }
  const turns = turnsToBring(context, groups.flat());
  const dropped = new Set<number>();
  const branches = branchesOfPlan(
    context,
    turns.flatMap(({ ids: [first] }) => (first === undefined ? [] : [first])),
  );
  const files = new PlannedFiles(context);
  void files.find(
    () => context.agent.planCherryPickFiles(ids),
    () => app.host.redraw(),
  );
  const plan: OpenPlan = {
    model: () => ({ kind: "cherry-pick", ...branches, turns, dropped, skipped, files: files.facts }),
    turns,
    dropped,
    form: "turns",
    changeForm: undefined,
    instructions: undefined,
    apply: () => cherryPickHere(context, keptIds({ turns, dropped })),
  };
  await openPlan(app, plan);
};
