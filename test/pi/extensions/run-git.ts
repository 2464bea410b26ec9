/** Runs programs. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("run", {
    handler: async (args, ctx) => {
      const [command = "", ...rest] = args.split(" ");
      const limit = command === "sleep" ? { timeout: 200 } : {};
      const { stdout, stderr, code, killed } = await pi.exec(command, rest, { cwd: ctx.cwd, ...limit });
      ctx.ui.notify(JSON.stringify({ out: stdout.trim(), err: stderr.trim(), code, killed }), "info");
    },
  });
}
