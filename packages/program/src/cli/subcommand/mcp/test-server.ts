/** `bough mcp test`: connects to a server, lists what it has, and explains what goes wrong. */
import { rememberServer, ServerConnection, tokensOfTools } from "@bough/agent/mcp/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import { counted, shortCount } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { errorReportOf } from "../../error-report.js";
import type { SubcommandCall } from "../subcommand.js";
import { findServers, requireServer, shownTarget } from "./server-facts.js";

/** Exit code 1 if the server cannot be used. Also tests a server that is disabled. */
export async function run({ args, out, places: { cwd }, signal, version }: SubcommandCall): Promise<number> {
  const server = requireServer(args[0] as string, findServers(cwd));
  const { name } = server;
  const place = { cwd, home: boughHome(), env: process.env, version, onChange: () => {}, openUrl: () => {} };
  const connection = new ServerConnection({ ...server, settings: { ...server.settings, disabled: false } }, place);
  const stop = () => void connection.close();
  signal.addEventListener("abort", stop, { once: true });
  const start = performance.now();
  try {
    await connection.client();
    signal.throwIfAborted();
    const milliseconds = Math.round(performance.now() - start);
    const { about, tools = [], prompts, resources, problems, instructions, hasResources } = connection;
    const tokens = tokensOfTools(tools);
    // For `bough mcp list` and the next session.
    rememberServer(boughHome(), server, { abilities: { asks: false }, tools, instructions, hasResources });
    if (out.json) {
      const names = prompts.map((prompt) => prompt.name);
      const found = {
        tools: tools.map(({ tool }) => tool),
        tokens,
        resources: resources.length,
        prompts: names,
        problems,
      };
      out.value({ name, ok: true, milliseconds, server: about, ...found });
      return 0;
    }
    out.line([span(name, "accent"), span(`  ${shownTarget(server.settings)}`)]);
    out.line(`Connected in ${milliseconds} ms: ${about?.name} ${about?.version}`.trimEnd());
    const counts = [
      `${counted(tools.length, "tool", "tools")} (${shortCount(tokens)} tokens)`,
      counted(resources.length, "resource", "resources"),
      counted(prompts.length, "prompt", "prompts"),
    ];
    out.line(`${counts.join(", ")}`);
    for (const { name: shown, description } of tools) {
      out.line([span(`  ${shown}`, "accent"), span(`  ${description.split("\n")[0]?.slice(0, 100) ?? ""}`, "muted")]);
    }
    for (const prompt of prompts)
      out.line([span(`  /${name}:${prompt.name}`, "accent"), span(`  ${prompt.description}`, "muted")]);
    for (const problem of problems) out.notice(`bough: ${problem}`);
    return 0;
  } catch (error) {
    if (!out.json) {
      for (const line of connection.log.lines.slice(-20)) out.notice(`${name}: ${line}`);
      throw error;
    }
    const { message, hint } = errorReportOf(error);
    const milliseconds = Math.round(performance.now() - start);
    out.value({ name, ok: false, milliseconds, tools: [], resources: 0, prompts: [], error: message, hint });
    return 1;
  } finally {
    signal.removeEventListener("abort", stop);
    await connection.close();
  }
}
