/**
 * /focus says what summaries should pay attention to; from then on every move and every compaction asks for it.
 * Uses the methods of `session_before_tree`, the additions of `session.compacting`, a command, and `ctx.ui.editor`.
 */
import type { ExtensionApi } from "bough/extension";

export default function (bough: ExtensionApi) {
  let focus = "";

  bough.registerCommand("focus", {
    description: "What summaries should pay attention to; `off` for nothing special",
    async handler(_args, ctx) {
      const typed = ctx.args || (await ctx.ui.editor("Summaries should pay attention to", focus));
      if (typed === undefined) return;
      focus = typed.trim() === "off" ? "" : typed.trim();
      ctx.ui.notify(focus === "" ? "Summaries have no focus" : `Summaries focus on: ${focus}`);
    },
  });

  bough.on("session_before_tree", (event) => {
    if (focus === "" || event.preparation.entriesToSummarize.length === 0) return;
    event.setSummarize(true);
    // A focus that ends with "only" takes the place of the standard instructions.
    event.setReplaceInstructions(focus.endsWith("only"));
    event.setCustomInstructions(focus);
  });

  bough.on("session.compacting", (event) => {
    if (focus === "") return;
    const files = event.preparation.modifiedFiles.join(", ") || "none";
    return { context: [`Files changed so far: ${files}.`], prompt: `Pay special attention to this: ${focus}` };
  });
}
