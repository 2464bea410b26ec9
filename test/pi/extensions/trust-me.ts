/** Decides whether a project is trusted. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("project_trust", async (event, ctx) => {
    ctx.ui.notify(`trust ${event.cwd === ctx.cwd} ${ctx.mode} ${ctx.hasUI}`, "info");
    const answer = ctx.hasUI ? await ctx.ui.select("Trust it?", ["yes", "always", "no", "ask"]) : process.env.TRUST;
    if (answer === "always") return { trusted: "yes", remember: true };
    return { trusted: answer === "yes" || answer === "no" ? answer : "undecided" };
  });
}
