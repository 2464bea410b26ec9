/** `bough mcp list`: the configured servers, and what is wrong with invalid ones. */
import { span } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import type { SubcommandCall } from "../subcommand.js";
import { findServers, serverFacts, shownTarget, toolsFacts, toolsWords } from "./server-facts.js";

/** Exit code 1 if a server cannot be used. */
export async function run({ out, places: { cwd } }: SubcommandCall): Promise<number> {
  const { servers, problems } = findServers(cwd);
  const listed = servers.map((server) => ({ server, facts: { ...serverFacts(server), ...toolsFacts(server) } }));
  if (out.json) {
    const reported = problems.map(({ file, field = null, message }) => ({ file, field, message }));
    out.value({ servers: listed.map(({ facts }) => facts), problems: reported });
    return problems.length === 0 ? 0 : 1;
  }
  if (servers.length === 0 && problems.length === 0) {
    out.line("No MCP servers. To add one: bough mcp add <name> -- <command...>");
  }
  const width = Math.max(0, ...servers.map(({ name }) => displayWidth(name)));
  for (const { server, facts } of listed) {
    const { name, settings, source } = server;
    const isOff = settings.disabled === true;
    out.line([
      span(name + " ".repeat(width - displayWidth(name)), isOff ? "muted" : "accent"),
      span(`  ${isOff ? "disabled, " : ""}${source.kind}  `, "muted"),
      span(shownTarget(settings)),
      span(`  ${toolsWords(facts)}`, "muted"),
    ]);
  }
  for (const { file, field, message } of problems) {
    out.notice(`bough: ${file}${field === undefined ? "" : ` (${field})`}: ${message}`);
  }
  return problems.length === 0 ? 0 : 1;
}
