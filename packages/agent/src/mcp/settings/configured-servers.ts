/** Merges the servers of all settings files: later files override earlier ones, and may change or disable a server. */
import { defined, isRecord } from "@bough/session/text/index.js";
import { type McpServerSettings, serverNameProblem, serverProblem } from "./server-settings.js";
import { serverSettingsSchema } from "./server-settings-schema.js";

/** Where a server is configured. `project`: `.mcp.json` or the project's settings; `program`: no file. */
export interface ServerSource {
  readonly kind: "user" | "project" | "local" | "program";
  readonly file?: string;
}

export interface ConfiguredServer {
  readonly name: string;
  /** As written, with variables not expanded. */
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

/** Sorted by name, so that the order in files does not affect what the model sees. */
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
        problems.push({ file: source.file, field, message });
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
 * The servers of a `.mcp.json`, which other agents also use: unknown fields are ignored, and an invalid server is
 * reported without affecting the others.
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
  // Creates own properties even for names such as `__proto__`.
  return { servers: Object.fromEntries(servers), problems };
}

function picked(server: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.keys(serverSettingsSchema.shape);
  return Object.fromEntries(Object.entries(server).filter(([field]) => known.includes(field)));
}
