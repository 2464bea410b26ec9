/** Reads settings, commands and the system prompt. */
import { parseToolCallArguments, ToolCallArgumentsStream } from "@earendil-works/pi-ai";
import { type ExtensionAPI, formatReadLineRange } from "@earendil-works/pi-coding-agent";
import { renderFakeCursor } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  // It comes only with the setting `cacheWarming`.
  pi.on("cache_warming_decision", () => ({ action: "stop" }));
  pi.registerCommand("peek", {
    handler: async (_args, ctx) => {
      const settings = pi.getSettings() as { defaultModel?: string; permissionMode?: string };
      (settings as { permissionMode?: string }).permissionMode = "changed";
      const again = pi.getSettings() as { permissionMode?: string };
      ctx.ui.notify(`${settings.defaultModel} ${again.permissionMode}`, "info");
    },
  });
  pi.registerCommand("where", {
    handler: async (_args, ctx) => {
      const command = pi.getCommands().find(({ name }) => name === "where") as { path?: string } | undefined;
      ctx.ui.notify(String(command?.path?.endsWith("peek.ts")), "info");
    },
  });
  pi.on("before_agent_start", (event, ctx) => ({
    systemPrompt: event.systemPrompt.replace(
      `Current working directory: ${ctx.cwd}`,
      "Current working directory: /far",
    ),
  }));
  pi.registerCommand("shims", {
    handler: async (_args, ctx) => {
      const stream = new ToolCallArgumentsStream();
      const pieces = ['{"path":"a', '.txt","lines":[1', ",2]}"].map((piece) => stream.append(piece));
      ctx.ui.notify(JSON.stringify([pieces, stream.finish(), stream.text.length]), "info");
      const repeated = new ToolCallArgumentsStream();
      repeated.append('{"a":1');
      ctx.ui.notify(JSON.stringify([repeated.replace('{"a":12}'), repeated.replace('{"b":1}')]), "info");
      const wrong = parseToolCallArguments('{"a":');
      ctx.ui.notify(`${JSON.stringify(wrong.arguments)} ${wrong.argumentsError !== undefined}`, "info");
      const ranges = [formatReadLineRange(10, 5), formatReadLineRange("3", null), formatReadLineRange(undefined, 20)];
      ctx.ui.notify([...ranges, formatReadLineRange(null, null), formatReadLineRange("x", 2)].join("|"), "info");
      ctx.ui.notify(JSON.stringify(renderFakeCursor("x")), "info");
    },
  });
}
