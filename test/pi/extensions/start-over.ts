/** Goes to a new session that begins with what was learned. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("start-over", {
    handler: async (args, ctx) => {
      await ctx.waitForIdle();
      const parentSession = ctx.sessionManager.getSessionFile();
      const { cancelled } = await ctx.newSession({
        parentSession,
        setup: async (session) => {
          session.appendMessage({ role: "user", content: `Learned so far: ${args}`, timestamp: Date.now() });
        },
        withSession: async (fresh) => {
          fresh.ui.notify(
            `new session with ${fresh.sessionManager.getEntries().length > 0 ? "a start" : "nothing"}`,
            "info",
          );
          await fresh.sendUserMessage("Go on");
        },
      });
      if (cancelled) ctx.ui.notify("stayed", "info");
    },
  });
}
