/** `bough mcp login`: logs in to a server with a browser. */
import { openInBrowser } from "@bough/agent/mcp/index.js";
import { login } from "@bough/agent/mcp/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import type { SubcommandCall } from "../subcommand.js";
import { findServers, requireServer } from "./server-facts.js";

export async function run({ args, out, places: { cwd }, signal, version }: SubcommandCall): Promise<number> {
  const server = requireServer(args[0] as string, findServers(cwd));
  let shown: string | null = null;
  const outcome = await login({
    server,
    cwd,
    home: boughHome(),
    env: process.env,
    version,
    signal,
    open: (url) => {
      shown = url;
      out.notice(`Opening your browser. If nothing happens, open this address:\n${url}`);
      openInBrowser(url);
    },
  });
  if (out.json) out.value({ name: server.name, url: shown, outcome });
  else if (outcome === "done") out.line(`Logged in to ${server.name}`);
  else out.line(`${server.name} needs no login, or you are logged in. To log out: bough mcp logout ${server.name}`);
  return 0;
}
