/** The servers of all settings files together: later files win, and may change or disable an earlier one. */
import { defined, isRecord } from "@bough/session/text/index.js";
import { type McpServerSettings, serverNameProblem, serverProblem } from "./server-settings.js";
import { serverSettingsSchema } from "./server-settings-schema.js";

/** Where a server was written. `project` is `.mcp.json` or the settings of a project; `program` has no file. */
export interface ServerSource {
  readonly kind: "user" | "project" | "local" | "program";
  readonly file?: string;
}

export interface ConfiguredServer {
  readonly name: string;
  /** As written: variables are not replaced yet. */
  readonly settings: McpServerSettings;
  /** The file that has the command or the URL. */
  readonly source: ServerSource;
}

export interface ServerProblem {
  readonly file?: string;
  readonly field: string;
  /** A sentence. */
  readonly message: string;
}

export interface ServersOfFile {
  readonly source: ServerSource;
  readonly servers: Readonly<Record<string, McpServerSettings>>;
}

/** By name, so that the order of files and of names in them makes no difference to what a model is shown. */
export function configuredServers(files: readonly ServersOfFile[]): {
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly ServerProblem[];
} {
  const problems: ServerProblem[] = [];
  const byName = new Map<string, ConfiguredServer>();
  for (const { source, servers } of files) {
    for (const [name, settings] of Object.entries(servers)) {
      const refuse = (message: string): void => {
        const field = `mcpServers.${name}`;
        problems.push({ ...(source.file === undefined ? {} : { file: source.file }), field, message });
      };
      const wrongName = serverNameProblem(name);
      if (wrongName !== undefined) {
        refuse(`Not used: ${wrongName}`);
        continue;
      }
      const before = byName.get(name);
      const isWhole = settings.command !== undefined || settings.url !== undefined;
      if (!isWhole && before !== undefined) {
        byName.set(name, { ...before, settings: { ...before.settings, ...defined(settings) } });
        continue;
      }
      const problem = serverProblem(settings);
      if (problem === undefined) byName.set(name, { name, settings, source });
      else refuse(`Not used: ${problem}`);
    }
  }
  return { servers: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/**
 * The servers of a `.mcp.json`, as other agents write it too: fields that mean nothing here are ignored, and a server
 * that cannot be used is reported alone.
 */
export function serversOfFile(
  value: unknown,
  file: string,
): { readonly servers: Readonly<Record<string, McpServerSettings>>; readonly problems: readonly ServerProblem[] } {
  const listed = isRecord(value) ? value.mcpServers : undefined;
  if (!isRecord(listed)) {
    return { servers: {}, problems: [{ file, field: "mcpServers", message: "Not used: mcpServers is not an object" }] };
  }
  const problems: ServerProblem[] = [];
  const servers: [string, McpServerSettings][] = [];
  for (const [name, server] of Object.entries(listed)) {
    const known = isRecord(server) ? picked(server) : server;
    const parsed = serverSettingsSchema.safeParse(known);
    if (parsed.success) {
      servers.push([name, parsed.data]);
      continue;
    }
    const [issue] = parsed.error.issues;
    const path = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    problems.push({ file, field: `mcpServers.${name}`, message: `Not used: ${path}${issue?.message ?? "not valid"}` });
  }
  // Own properties only, whatever the names are.
  return { servers: Object.fromEntries(servers), problems };
}

function picked(server: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.keys(serverSettingsSchema.shape);
  return Object.fromEntries(Object.entries(server).filter(([field]) => known.includes(field)));
}
