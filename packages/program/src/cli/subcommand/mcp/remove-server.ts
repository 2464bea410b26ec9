/** `bough mcp remove`: removes a server from the file that defines it. */
import { dirname } from "node:path";
import { changeServer, type ServerScope, serversFile } from "@bough/agent/project/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";
import { findServers, requireServer } from "./server-facts.js";

export async function run({ args, flags, out, places: { cwd } }: SubcommandCall): Promise<number> {
  const name = args[0] as string;
  const home = boughHome();
  const scope = flags.text("scope") as ServerScope | undefined;
  const file = scope === undefined ? fileOf(name, cwd) : serversFile(scope, { cwd, home });
  const within = file === serversFile("user", { cwd, home }) ? dirname(file) : cwd;
  let isThere = false;
  changeServer({
    file,
    within,
    name,
    change: (before) => {
      isThere = isRecord(before);
      if (!isThere) throw usageError(`${file} has no server ${name}`, "To list them: bough mcp list");
      return undefined;
    },
  });
  if (out.json) out.value({ removed: name, file });
  else out.line(`Removed ${name} from ${file}`);
  return 0;
}

function fileOf(name: string, cwd: string): string {
  const { file } = requireServer(name, findServers(cwd)).source;
  if (file === undefined) throw usageError(`The server ${name} is not in a file`);
  return file;
}
