/** Asks before another session is opened, and refuses forks. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_before_switch", async (event, ctx) => {
    const really = await ctx.ui.confirm("Leave this session?", `For a ${event.reason} one`);
    return really ? undefined : { cancel: true };
  });
  pi.on("session_before_fork", () => ({ cancel: true }));
}
