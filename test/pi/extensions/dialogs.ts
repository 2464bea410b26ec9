/** Every question there is. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("dialogs", {
    handler: async (_args, ctx) => {
      const tree = await ctx.ui.select("Which tree?", ["oak", "ash", "elm"]);
      const sure = await ctx.ui.confirm("Plant it?", `An ${tree} grows for centuries`);
      const place = await ctx.ui.input("Where?", "a place");
      const note = await ctx.ui.editor("A note", "First line");
      ctx.ui.notify([tree, sure, place, note].join("|"), "info");
    },
  });
  pi.registerCommand("hurry", {
    handler: async (_args, ctx) => {
      const answer = await ctx.ui.select("Quick!", ["a", "b"], { timeout: 50 });
      const controller = new AbortController();
      const asked = ctx.ui.confirm("Still there?", "It goes away", { signal: controller.signal });
      controller.abort();
      ctx.ui.notify(`${answer}, ${await asked}`, "warning");
    },
  });
  pi.on("ui_prompt_start", (event, ctx) => ctx.ui.setStatus("asking", `asking: ${event.kind}`));
  pi.on("ui_prompt_end", (_event, ctx) => ctx.ui.setStatus("asking", undefined));
}
