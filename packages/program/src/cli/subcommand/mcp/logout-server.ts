/** `bough mcp logout`: deletes a server's tokens. */
import { logout } from "@bough/agent/mcp/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import type { SubcommandCall } from "../subcommand.js";
import { findServers, requireServer } from "./server-facts.js";

export async function run({ args, out, places: { cwd } }: SubcommandCall): Promise<number> {
  const server = requireServer(args[0] as string, findServers(cwd));
  const loggedOut = logout(server, { home: boughHome(), env: process.env });
  if (out.json) out.value({ name: server.name, loggedOut });
  else out.line(loggedOut ? `Logged out of ${server.name}` : `Not logged in to ${server.name}`);
  return 0;
}
