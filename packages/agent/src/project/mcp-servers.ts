/** Reads and changes MCP servers in settings files and in a project's `.mcp.json`. */
import { join } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";
import { isRecord, settingsValue } from "@bough/session/text/index.js";
import { type McpServerSettings, type ServersOfFile, serversOfFile } from "../mcp/index.js";
import { changeSettingsFile } from "./change-settings-file.js";
import { localSettingsFile } from "./permission-rules.js";
import { type ProjectPlace, projectReading } from "./project-files.js";

export type ServerScope = "user" | "project" | "local";

interface ServersFileProblem {
  readonly file: string;
  readonly field: string;
  readonly message: string;
  readonly level: "error" | "warning";
}

/** A project's servers, shared with other agents. Ignored, with a report, until the project is trusted. */
export function readServersFile(place: ProjectPlace): ServersOfFile & {
  readonly problems: readonly ServersFileProblem[];
} {
  const file = join(place.cwd, ".mcp.json");
  const source = { kind: "project", file } as const;
  const failed = (message: string, level: "error" | "warning" = "error") => ({
    source,
    servers: {},
    problems: [{ file, field: "mcpServers", message, level }],
  });
  const read = readTextFile(file, projectReading(place));
  if (read.kind === "absent") return { source, servers: {}, problems: [] };
  if (read.kind === "unreadable") return failed(`Not used: ${read.reason}`);
  if (!place.trusted) return failed("Not used, because this project is not trusted", "warning");
  const parsed = settingsValue(read.text);
  if (parsed.kind === "unusable") return failed(`Not used: ${parsed.reason}`);
  const { servers, problems } = serversOfFile(parsed.value, file);
  return { source, servers, problems: problems.map((problem) => ({ file, level: "error", ...problem })) };
}

/** The file that a server is written to; for a project, the one that other agents read too. */
export function serversFile(
  scope: ServerScope,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  if (scope === "user") return join(home, "settings.json");
  return scope === "project" ? join(cwd, ".mcp.json") : localSettingsFile(cwd);
}

interface ServerChange {
  readonly file: string;
  /** The folder that the file must be in, after following links. */
  readonly within: string;
  readonly name: string;
  /** Returns the changed server; undefined removes it. */
  readonly change: (before: McpServerSettings | undefined) => McpServerSettings | undefined;
}

/** Adds, changes or removes one server. Everything else in the file stays. Throws `bad-settings`. */
export function changeServer({ file, within, name, change }: ServerChange): void {
  changeSettingsFile({
    file,
    within,
    what: "The server",
    change: ({ mcpServers: current = {}, ...others }, refused) => {
      if (!isRecord(current)) throw refused("`mcpServers` must be an object");
      const before = Object.hasOwn(current, name) ? (current[name] as McpServerSettings) : undefined;
      const next = change(before);
      const servers = Object.entries(current).filter(([one]) => one !== name);
      if (next !== undefined) servers.push([name, next]);
      return servers.length === 0 ? others : { ...others, mcpServers: Object.fromEntries(servers) };
    },
  });
}
