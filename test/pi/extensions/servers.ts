/** Brings an MCP server, and another one later. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const server = { command: process.execPath, args: [process.env.SERVER_FILE ?? "", "fine"], timeout: 30 };

export default function (pi: ExtensionAPI) {
  pi.registerMcpServer("early", server);
  const names = () => pi.getMcpServers().map(({ name }) => name);
  pi.on("mcp_servers_change", ({ servers }, ctx) =>
    ctx.ui.notify(`changed: ${servers.map(({ name, config }) => `${name} ${config.timeout}`).join(", ")}`, "info"),
  );
  pi.registerCommand("late", {
    handler: async (_args, ctx) => {
      pi.registerMcpServer("late", { ...server, timeout: 20 });
      ctx.ui.notify(`registered: ${names()}`, "info");
    },
  });
  pi.registerCommand("drop", {
    handler: async (_args, ctx) => {
      pi.unregisterMcpServer("early");
      ctx.ui.notify(`registered: ${names()}`, "info");
    },
  });
  pi.registerCommand("wrong", {
    handler: async (_args, ctx) => {
      for (const [name, config] of [
        ["a b", server],
        ["both", { command: "x", url: "http://127.0.0.1" }],
      ] as const) {
        try {
          pi.registerMcpServer(name, config as never);
        } catch (error) {
          ctx.ui.notify((error as Error).message, "error");
        }
      }
    },
  });
}
