/** Commands with arguments and completions, and a list of all there are. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const PLACES = ["garden", "garage", "roof"];

export default function (pi: ExtensionAPI) {
  pi.registerCommand("visit", {
    description: "Visit a place",
    getArgumentCompletions: (prefix) => {
      const found = PLACES.filter((place) => place.startsWith(prefix)).map((value) => ({ value, label: value }));
      return found.length > 0 ? found : null;
    },
    handler: async (args, ctx) => {
      ctx.ui.notify(`visited ${args || "nothing"}`, "info");
      return "this is not a prompt" as never;
    },
  });
  pi.registerCommand("list-commands", {
    handler: async (_args, ctx) => {
      const listed = pi.getCommands().map((command) => `${command.name} (${command.source})`);
      ctx.ui.notify(listed.join(", "), "info");
    },
  });
  pi.registerCommand("fail", {
    handler: async () => {
      throw new Error("this command does not work");
    },
  });
}
