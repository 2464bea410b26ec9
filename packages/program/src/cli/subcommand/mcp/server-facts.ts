/** The configured servers, and how to show one: never with the values of its variables and headers. */
import type { ConfiguredServer, McpServerSettings } from "@bough/agent/mcp/index.js";
import { rememberedServer, tokensOfTools } from "@bough/agent/mcp/internal.js";
import { readSettings, type SettingsProblem } from "@bough/agent/project/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { closestNames, counted, defined, shellWord, shortCount, withoutControls } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import { isTrusted } from "../extension/extension-scope.js";

export interface FoundServers {
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly SettingsProblem[];
}

export function findServers(cwd: string): FoundServers {
  const { servers, problems } = readSettings({ cwd, home: boughHome(), projectTrusted: isTrusted(cwd) });
  const isAbout = ({ file, field }: SettingsProblem) =>
    field?.startsWith("mcpServers") === true || file.endsWith(".mcp.json") || field === undefined;
  return { servers, problems: problems.filter(isAbout) };
}

/** Throws for an unknown name. */
export function requireServer(name: string, { servers, problems }: FoundServers): ConfiguredServer {
  const found = servers.find((server) => server.name === name);
  if (found !== undefined) return found;
  const problem = problems.find(({ field }) => field === "mcpServers" || field?.startsWith(`mcpServers.${name}`));
  if (problem !== undefined) throw usageError(`Unknown server ${name}`, `${problem.file}: ${problem.message}.`);
  const names = servers.map((server) => server.name);
  const [near] = closestNames(name, names);
  const hint = near === undefined ? "To list them: bough mcp list" : `Did you mean ${near}?`;
  throw usageError(`Unknown server ${name}`, hint);
}

/** As in `--json`. */
export function serverFacts({ name, settings, source }: ConfiguredServer) {
  const { command, args = [], url, disabled = false } = settings;
  return {
    name,
    scope: source.kind,
    file: source.file ?? null,
    transport: url === undefined ? ("stdio" as const) : ("http" as const),
    ...(url === undefined ? { command: [command ?? "", ...args] } : { url: shownUrl(url) }),
    disabled,
  };
}

/** The tools it had when it was last connected, and what their definitions would add to a request. */
export function toolsFacts(server: ConfiguredServer) {
  const home = boughHome();
  const known = rememberedServer(home, server, { asks: true }) ?? rememberedServer(home, server, { asks: false });
  const { expose } = server.settings;
  return {
    tools: known?.tools.length ?? null,
    tokens: known === undefined ? null : tokensOfTools(known.tools),
    ...defined({ expose }),
  };
}

/** "14 tools, 1.9k tokens". */
export function toolsWords({ tools, tokens, expose }: ReturnType<typeof toolsFacts>): string {
  const how = typeof expose === "string" ? ` (${expose})` : "";
  if (tools === null || tokens === null) return `tools not listed yet${how}`;
  return `${counted(tools, "tool")}, ${shortCount(tokens)} tokens${how}`;
}

/** The command or URL, on one line. */
export function shownTarget({ command, args = [], url }: McpServerSettings): string {
  const text = url === undefined ? [command ?? "", ...args].map(shellWord).join(" ") : shownUrl(url);
  return withoutControls(text).replaceAll("\n", " ");
}

/** Without the password, query and fragment, which may contain keys. */
function shownUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}
