/**
 * /review [what] asks the model to review changes. What a command returns is sent as a prompt.
 * Uses a command that prompts, `args`, `ctx.ui.select`, and `ctx.exec`.
 */
import type { ExtensionApi } from "bough/extension";

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  "everything not committed": ["diff", "HEAD"],
  "only what is staged": ["diff", "--cached"],
  "the last commit": ["show", "HEAD"],
};

export default function (bough: ExtensionApi) {
  bough.registerCommand("review", {
    description: "Reviews changes: a git range, or choose from a list",
    async handler(args, ctx) {
      let range: readonly string[] = ["diff", "HEAD"];
      // `--end-of-options` keeps what was typed from being read as an option.
      if (args !== "") range = ["diff", "--end-of-options", args];
      else if (ctx.hasUi) {
        const chosen = await ctx.ui.select("Review what?", Object.keys(CHOICES));
        if (chosen === undefined) return;
        range = CHOICES[chosen] ?? range;
      }
      const result = await ctx.exec("git", range, { timeoutMs: 30_000 });
      if (result.exitCode !== 0) return ctx.ui.notify(result.stderr.trim() || "git did not answer", "error");
      if (result.stdout.trim() === "") return ctx.ui.notify("There is nothing to review");
      return [
        "Review this change. List real mistakes first, each with its file and line; leave out matters of taste.",
        "```diff",
        result.stdout.trimEnd(),
        "```",
      ].join("\n");
    },
  });
}
