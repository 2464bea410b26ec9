/** Decides whether a merge or a cherry-pick brings files too: by an option, the settings, or by asking. */
import type { BringFilesOptions } from "@bough/agent/agent/index.js";
import { type BringPlan, CheckpointError, isEmptyPlan, machinesOf } from "@bough/workbench/checkpoint/index.js";
import type { CommandContext, FilesQuestion } from "../command.js";
import { askDetails, onMerge } from "../files/decide-files.js";

interface BringDecision {
  readonly about: "merge" | "cherry-pick";
  /** What the branch is called. */
  readonly target: string;
  readonly branch?: FilesQuestion["branch"];
  /** An option of the command. Default: the setting. */
  readonly wanted?: "follow" | "stay" | undefined;
  readonly plan: () => Promise<BringPlan>;
}

/** Undefined: the user stopped it, and nothing changes. */
export async function decideBroughtFiles(
  context: CommandContext,
  { wanted, plan: make, ...named }: BringDecision,
): Promise<BringFilesOptions | undefined> {
  const setting = wanted ?? onMerge(context);
  const { front } = context;
  if (setting === "stay" || (setting === "ask" && front.askFiles === undefined)) return { files: "stay" };
  const plan = await bringPlan(context, make, wanted);
  if (plan === undefined || isEmptyPlan(plan)) return { files: "stay" };
  const question: FilesQuestion = { ...named, plan };
  const isAsked = setting === "ask" || (wanted === undefined && machinesOf(plan).length > 0);
  if (isAsked) {
    // Leaves `files` out: the agent applies the setting and reports why.
    if (front.askFiles === undefined) return {};
    const answer = await front.askFiles(question);
    if (answer === "stay") return undefined;
    if (answer === "conversation") return { files: "stay" };
  }
  return askDetails(context, question);
}

/** Undefined if files are not recorded. Unless files were asked for, what cannot be planned does not stop the words. */
async function bringPlan(
  { agent, front }: CommandContext,
  make: () => Promise<BringPlan>,
  wanted: "follow" | "stay" | undefined,
): Promise<BringPlan | undefined> {
  if (!agent.followsFiles && wanted === undefined) return undefined;
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof CheckpointError) || wanted !== undefined) throw error;
    if (error.code !== "files-off") front.tell({ message: `Files are unchanged: ${error.message}.` }, "warning");
    return undefined;
  }
}
