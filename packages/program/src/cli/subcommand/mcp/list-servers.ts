/** `bough mcp list`: the configured servers, and what is wrong with invalid ones. */
import { span } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import type { SubcommandCall } from "../subcommand.js";
import { findServers, serverFacts, shownTarget } from "./server-facts.js";

/** Exit code 1 if a server cannot be used. */
export async function run({ out, places: { cwd } }: SubcommandCall): Promise<number> {
  const { servers, problems } = findServers(cwd);
  if (out.json) {
    const reported = problems.map(({ file, field = null, message }) => ({ file, field, message }));
    out.value({ servers: servers.map(serverFacts), problems: reported });
    return problems.length === 0 ? 0 : 1;
  }
  if (servers.length === 0 && problems.length === 0) {
    out.line("No MCP servers. To add one: bough mcp add <name> -- <command...>");
  }
  const width = Math.max(0, ...servers.map(({ name }) => displayWidth(name)));
  for (const { name, settings, source } of servers) {
    const isOff = settings.disabled === true;
    out.line([
      span(name + " ".repeat(width - displayWidth(name)), isOff ? "muted" : "accent"),
      span(`  ${isOff ? "disabled, " : ""}${source.kind}  `, "muted"),
      span(shownTarget(settings)),
    ]);
  }
  for (const { file, field, message } of problems) {
    out.notice(`bough: ${file}${field === undefined ? "" : ` (${field})`}: ${message}`);
  }
  return problems.length === 0 ? 0 : 1;
}
