/**
 * Names the ends you leave, lists them, and starts over from them.
 * Uses `session_tree`, the fork events under both names, and the moves a command can make: `ctx.navigateTree`,
 * `ctx.branchInPlace`, `ctx.branch`, `ctx.rebuildContext`.
 */
import type { ExtensionApi } from "bough/extension";

const SPOKEN: ReadonlySet<string> = new Set(["message", "custom_message", "branch_summary", "compaction"]);

export default function (bough: ExtensionApi) {
  bough.on("session_tree", (event, ctx) => {
    if (event.cancelled || event.oldLeafId === null) return;
    // The leaf may be a label or a note of an extension: the end of the conversation is the last thing said.
    const left = ctx.sessionManager.getBranch(event.oldLeafId).findLast((entry) => SPOKEN.has(entry.type));
    if (left === undefined || ctx.sessionManager.getLabel(left.id) !== undefined) return;
    // Going further down the same path leaves nothing behind.
    if (ctx.currentPath.some((entry) => entry.id === left.id)) return;
    const used = ctx.entries.filter((entry) => ctx.sessionManager.getLabel(entry.id)?.startsWith("left ")).length;
    ctx.session.label(left.id, `left ${used + 1}`);
  });

  bough.registerCommand("bookmarks", {
    description: "Chooses a named place and goes there",
    async handler(_args, ctx) {
      const named = ctx.entries.flatMap(({ id }) => {
        const label = ctx.sessionManager.getLabel(id);
        return label === undefined ? [] : [{ id, label }];
      });
      const chosen = ctx.args || (await ctx.ui.select("Go where?", [...new Set(named.map(({ label }) => label))]));
      const target = named.find(({ label }) => label === chosen);
      if (target !== undefined) await ctx.navigateTree(target.id, { summarize: false });
    },
  });

  bough.registerCommand("start-over", {
    description: "Back to the beginning in the same file, with a note of what was learned",
    async handler(_args, ctx) {
      await ctx.branchInPlace(null, ctx.args || undefined);
      await ctx.rebuildContext();
    },
  });

  bough.registerCommand("spin-off", {
    description: "Copies everything before your last message into a new file",
    async handler(_args, ctx) {
      const last = ctx.currentPath.findLast((entry) => entry.type === "message" && entry.message.role === "user");
      if (last !== undefined) await ctx.branch(last.id);
    },
  });

  for (const name of ["session_before_fork", "session_before_branch"] as const)
    bough.on(name, (event, ctx) => {
      if (ctx.sessionManager.getLabel(event.entryId) === "stay") event.cancel();
    });
  for (const name of ["session_fork", "session_branch"] as const)
    bough.on(name, (event, ctx) => ctx.ui.notify(`${event.type}: ${event.previousSessionFile ?? "memory"} stays`));
}
