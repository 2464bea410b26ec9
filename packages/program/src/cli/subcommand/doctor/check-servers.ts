/** Connects once to each configured MCP server. */
import { readSettings } from "@bough/agent/project/index.js";
import { createTrust } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { counted, defined, shortCount } from "@bough/session/text/index.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Check } from "./check-environment.js";

const area = "MCP servers";
/** How long to wait for a server. */
const LIMIT_MS = 10_000;

/** Reports nothing if there are none. Problems in the files are reported with the settings. */
export async function checkServers({
  places: { cwd },
  signal,
  version,
}: Pick<SubcommandCall, "places" | "signal" | "version">): Promise<readonly Check[]> {
  const home = boughHome();
  const { servers } = readSettings({ cwd, home, projectTrusted: createTrust(home).isTrusted(cwd) });
  if (servers.length === 0) return [];
  const { ServerConnection, tokensOfTools } = await import("@bough/agent/mcp/internal.js");
  const place = { cwd, home, env: process.env, version, onChange: () => {}, openUrl: () => {} };
  return Promise.all(
    servers.map(async (server): Promise<Check> => {
      const { name, settings } = server;
      if (settings.disabled === true) return { area, level: "note", message: `${name} is disabled` };
      const startTimeoutMs = Math.min(settings.startTimeoutMs ?? LIMIT_MS, LIMIT_MS);
      const connection = new ServerConnection({ ...server, settings: { ...settings, startTimeoutMs } }, place);
      const stop = () => void connection.close();
      signal.addEventListener("abort", stop, { once: true });
      try {
        await connection.connect();
        const { state, tools = [] } = connection;
        if (!("reason" in state)) {
          const tokens = shortCount(tokensOfTools(tools));
          return { area, level: "ok", message: `${name}: ${counted(tools.length, "tool", "tools")}, ${tokens} tokens` };
        }
        const { reason, hint } = state;
        return { area, level: "warning", message: reason, ...defined({ hint }) };
      } finally {
        signal.removeEventListener("abort", stop);
        await connection.close();
      }
    }),
  );
}
