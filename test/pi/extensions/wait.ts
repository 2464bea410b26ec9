/** Work with a sign that it is going on, which Esc stops. */
import { BorderedLoader, type ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("wait", {
    handler: async (args, ctx) => {
      const result = await ctx.ui.custom<string | null>((tui, theme, _keys, done) => {
        const loader = new BorderedLoader(tui, theme, "Waiting for rain...");
        loader.onAbort = () => done(null);
        if (args !== "long") setImmediate(() => done("it rained"));
        return loader;
      });
      ctx.ui.notify(result ?? "no rain", "info");
    },
  });
}
