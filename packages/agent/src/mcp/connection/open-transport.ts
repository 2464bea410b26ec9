/** Opens the transport to a server, a process or HTTP, with variables in its settings expanded. */
import { resolve } from "node:path";
import type { OAuthClientProvider, StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import { proxiedFetch } from "../../model/internal.js";
import { McpError } from "../mcp-error.js";
import { secureFetch } from "../oauth/secure-fetch.js";
import { hasLogin, storedLogin } from "../oauth/stored-login.js";
import { expandServer } from "../settings/expand-variables.js";
import type { McpServerSettings } from "../settings/server-settings.js";
import { answeredTransport } from "./answered-transport.js";
import { limitedFetch } from "./limited-fetch.js";
import { ProcessTransport } from "./process-transport.js";
import type { ServerLog } from "./server-log.js";
import type { TransportPlace } from "./server-state.js";

export interface OpenedTransport {
  readonly transport: Transport;
  /** Why it ended, if the transport knows. */
  readonly ended: () => string | undefined;
  readonly firstOther: () => string | undefined;
}

interface OpenOptions extends TransportPlace {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly log: ServerLog;
  /** The provider of a login in progress. Default: the stored login, if there is one. */
  readonly login?: OAuthClientProvider;
}

/** Does not start anything yet. Throws `server-failed` for unusable settings. Loads the SDK lazily. */
export async function openTransport({
  name,
  settings: written,
  log,
  login,
  ...place
}: OpenOptions): Promise<OpenedTransport> {
  const { settings, missing } = expandServer(written, place.env);
  if (missing.length > 0) {
    const names = missing.join(", ");
    throw new McpError(
      "server-failed",
      `The MCP server ${name} needs ${names}, which ${missing.length === 1 ? "is" : "are"} not set`,
      {
        data: { name, missing },
        hint: "Set it in the environment before you start Bough.",
      },
    );
  }
  if (settings.url === undefined) return processTransport(settings, { ...place, log });
  if (!URL.canParse(settings.url) || !/^https?:$/.test(new URL(settings.url).protocol)) {
    throw new McpError("server-failed", `The URL of the MCP server ${name} is not valid`, { data: { name } });
  }
  const { StreamableHTTPClientTransport: HttpTransport } = await import("@modelcontextprotocol/client");
  const { url, headers } = settings;
  let ended: string | undefined;
  const limited = limitedFetch(proxiedFetch(place.env), (reason) => {
    ended = reason;
    void transport.close();
  });
  const provider = login ?? (hasLogin(place.home, url) ? storedLogin({ ...place, url, settings }) : undefined);
  const transport: StreamableHTTPClientTransport = new HttpTransport(new URL(url), {
    fetch: secureFetch(limited, { url, headers }),
    authProvider: provider,
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 5,
    },
  });
  return { transport: answeredTransport(transport, log), ended: () => ended, firstOther: () => undefined };
}

async function processTransport(
  { command = "", args = [], env = {}, cwd }: McpServerSettings,
  { log, ...place }: TransportPlace & { readonly log: ServerLog },
): Promise<OpenedTransport> {
  const { deserializeMessage } = await import("@modelcontextprotocol/client");
  const transport = new ProcessTransport({
    command,
    args,
    env: { ...inherited(place.env), ...env },
    cwd: resolve(place.cwd, cwd ?? "."),
    log,
    parse: deserializeMessage,
  });
  return { transport, ended: () => transport.ended, firstOther: () => transport.firstOther };
}

/** Variables that programs need to start. Keys and other secrets are passed only if the server's settings name them. */
const INHERITED = [
  ...["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "TMPDIR", "TZ", "XDG_CACHE_HOME"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "NVM_DIR", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"],
  ...["APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT"],
  ...["TEMP", "TMP", "USERNAME", "USERPROFILE", "COMSPEC"],
];

function inherited(env: TransportPlace["env"]): Record<string, string> {
  const names = new Set(INHERITED);
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] => names.has(pair[0].toUpperCase()) && pair[1] !== undefined,
    ),
  );
}
