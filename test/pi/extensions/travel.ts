/** Moves in the tree, forks, and opens other sessions. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("to", {
    handler: async (args, ctx) => {
      const [id = "", summary] = args.split(" ");
      const result = await ctx.navigateTree(id, { summarize: summary === "summary", label: "came back" });
      ctx.ui.notify(`${result.cancelled ? "stayed" : "at"} ${ctx.sessionManager.getLeafId()}`, "info");
    },
  });
  pi.registerCommand("split", {
    handler: async (args, ctx) => {
      const before = ctx.sessionManager.getSessionFile();
      const { cancelled } = await ctx.fork(args, {
        position: "at",
        withSession: async (fresh) => {
          const moved = fresh.sessionManager.getSessionFile() !== before;
          fresh.ui.notify(moved ? `forked with ${fresh.sessionManager.getBranch().length}` : "same file", "info");
        },
      });
      if (cancelled) ctx.ui.notify("not forked", "info");
    },
  });
  pi.registerCommand("hop", {
    handler: async (args, ctx) => {
      await ctx.switchSession(args, {
        withSession: async (fresh) => fresh.ui.notify(`in ${fresh.sessionManager.getSessionId()}`, "info"),
      });
    },
  });
  pi.registerCommand("nodes", {
    handler: async (_args, ctx) => {
      const count = (nodes: { children: never[] }[]): number =>
        nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
      const header = ctx.sessionManager.getHeader();
      ctx.ui.notify(`${count(ctx.sessionManager.getTree() as never)} nodes, ${header?.cwd === ctx.cwd}`, "info");
    },
  });
}
