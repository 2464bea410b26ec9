/**
 * Tells you and the model which files changed during a turn, by asking git before and after it.
 * Uses `session_start`, `turn_start`, `turn_end`, `session_shutdown`, `ctx.exec`, and a message with its own renderer.
 */
import type { ExtensionApi, ExtensionContext } from "bough/extension";

export default function (bough: ExtensionApi) {
  let inGit = false;
  let before: ReadonlySet<string> = new Set();
  const touched = new Set<string>();

  const status = async (ctx: ExtensionContext): Promise<ReadonlySet<string>> => {
    const { stdout } = await ctx.exec("git", ["status", "--porcelain"], { timeoutMs: 10_000 });
    return new Set(stdout.split("\n").filter((line) => line !== ""));
  };

  bough.on("session_start", async (_event, ctx) => {
    inGit = (await ctx.exec("git", ["rev-parse", "--git-dir"])).exitCode === 0;
  });

  bough.on("turn_start", async (_event, ctx) => {
    if (inGit) before = await status(ctx);
  });

  bough.on("turn_end", async (event, ctx) => {
    if (!inGit) return;
    const changed = [...(await status(ctx))].filter((line) => !before.has(line)).map((line) => line.slice(3));
    if (changed.length === 0) return;
    for (const file of changed) touched.add(file);
    ctx.ui.notify(`Turn ${event.turn} changed ${changed.join(", ")}`);
    // A turn is running, so this waits and comes after it.
    bough.sendMessage({
      customType: "turn-changes",
      content: `Files changed by the last turn: ${changed.join(", ")}`,
      display: true,
      details: { changed },
    });
  });

  bough.on("session_shutdown", () => {
    if (touched.size > 0) bough.appendEntry("turn-changes", { files: [...touched].sort() });
  });

  bough.registerMessageRenderer("turn-changes", (message, { width, expanded }) => {
    const { changed } = message.details as { readonly changed: readonly string[] };
    const lines = expanded ? changed.map((file) => `  ${file}`) : [];
    return [`${changed.length} files changed`, ...lines].map((line) => line.slice(0, width));
  });
}
