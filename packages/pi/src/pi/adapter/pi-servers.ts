/** MCP servers that an extension of pi registers, in our form and back. */
import { isDeepStrictEqual } from "node:util";
import type { McpServerSettings } from "@bough/agent/extension/index.js";
import type { ExposeSetting, ToolExposure } from "@bough/agent/mcp/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";

type Config = Readonly<Record<string, unknown>>;

/** What pi's extensions registered last under each name; used only while it is still what the server has. */
const given = new Map<string, object>();

const SAME = ["type", "command", "args", "env", "cwd", "url", "headers", "description"] as const;
/** Without a script language, pi's `codemode` tools are found and called like its `deferred` ones. */
const EXPOSED: Readonly<Record<string, ToolExposure>> = {
  direct: "all",
  deferred: "search",
  codemode: "search",
  "codemode-deferred": "search",
  hidden: "none",
};

/** `timeout` is in seconds in pi; a server that is not `enabled` is disabled here. */
export function nativeServer(config: unknown): McpServerSettings {
  if (!isRecord(config)) throw new Error("An MCP server needs a config with a command or a url");
  const { timeout, enabled, oauth } = config;
  return defined({
    ...Object.fromEntries(SAME.map((name) => [name, config[name]])),
    oauth: isRecord(oauth) ? nativeOAuth(oauth) : undefined,
    timeoutMs: typeof timeout === "number" ? timeout * 1000 : undefined,
    disabled: enabled === false ? true : undefined,
    expose: nativeExpose(config),
    // Checked where it is added, as one from a settings file.
  }) as McpServerSettings;
}

/** Undefined if neither is set: `toolSearch` then decides. */
function nativeExpose({ exposure, toolExposure }: Config): ExposeSetting | undefined {
  const server = exposed(exposure);
  if (!isRecord(toolExposure)) return server;
  const tools = Object.entries(toolExposure).map(([name, value]) => [name, exposed(value)] as const);
  return { ...(server === undefined ? {} : { "*": server }), ...defined(Object.fromEntries(tools)) };
}

function exposed(value: unknown): ToolExposure | undefined {
  return typeof value === "string" && Object.hasOwn(EXPOSED, value) ? EXPOSED[value] : undefined;
}

function nativeOAuth({ clientId, clientSecret, scope, scopes, callbackUrl }: Config): object {
  const port = typeof callbackUrl === "string" ? Number(/:(\d+)\//.exec(callbackUrl)?.[1]) : Number.NaN;
  return defined({
    clientId,
    clientSecret,
    scope: Array.isArray(scopes) ? scopes.join(" ") : scope,
    callbackPort: Number.isFinite(port) ? port : undefined,
  });
}

interface Registered {
  readonly name: string;
  readonly config: object;
  readonly extensionPath: string;
}

/** Servers as they were registered: by pi's extensions in pi's form, by others in ours. */
export function piServers(servers: readonly Registered[]): readonly Registered[] {
  return servers.map((server) => {
    const config = given.get(server.name);
    const isSame = config !== undefined && isDeepStrictEqual(nativeServer(config), server.config);
    return { ...server, config: structuredClone(isSame ? config : server.config) };
  });
}

/** Keeps a config in pi's form, for `piServers`. */
export function rememberServer(name: string, config: object): void {
  given.set(name, structuredClone(config));
}
