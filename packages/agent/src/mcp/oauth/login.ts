/** Logs in to an HTTP server with a browser: OAuth 2.1 with PKCE, and a redirect to this machine. */
import { randomBytes } from "node:crypto";
import { errorText, withoutControls } from "@bough/session/text/index.js";
import { withLoggedConsole } from "../connection/logged-console.js";
import { openTransport } from "../connection/open-transport.js";
import { ServerLog } from "../connection/server-log.js";
import type { TransportPlace } from "../connection/server-state.js";
import { McpError } from "../mcp-error.js";
import type { ConfiguredServer } from "../settings/configured-servers.js";
import { expandServer } from "../settings/expand-variables.js";
import { loopbackRedirect } from "./loopback-redirect.js";
import { requireAllowed, requireSecure } from "./secure-fetch.js";
import { forgetLogin, storedLogin } from "./stored-login.js";

interface LoginRequest extends TransportPlace {
  readonly server: ConfiguredServer;
  readonly version: string;
  /** Called with the URL to open, which has been checked. */
  readonly open: (url: string) => void;
  readonly signal: AbortSignal;
}

const LIMIT_MS = 5 * 60_000;

/** `already`: the stored login works, or none is needed. Throws `login-failed` without storing a token. */
export async function login({ server, version, open, signal, ...place }: LoginRequest): Promise<"done" | "already"> {
  const { name } = server;
  const url = httpUrl(server, place.env);
  requireSecure(url, `The URL of the MCP server ${name}`);
  const state = randomBytes(24).toString("base64url");
  const { settings } = expandServer(server.settings, place.env);
  const port = settings.oauth?.callbackPort;
  const redirect = await loopbackRedirect({ state, port });
  const opening = (address: URL) => open(requireAllowed(address, { what: "The login URL", url }).href);
  const provider = storedLogin({ ...place, url, settings, redirect: { url: redirect.url, state, open: opening } });
  const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await import("@modelcontextprotocol/client");
  const log = new ServerLog();
  const { transport } = await openTransport({ name, settings: server.settings, log, login: provider, ...place });
  const client = new Client({ name: "bough", version });
  const stop = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    await withLoggedConsole(log, () => client.connect(transport, { signal: stop }));
    return "already";
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw failed(name, error);
    try {
      const answer = await redirect.answer({ signal: stop });
      if (transport instanceof StreamableHTTPClientTransport) {
        await withLoggedConsole(log, () => transport.finishAuth(answer));
      }
      return "done";
    } catch (failure) {
      throw failed(name, failure);
    }
  } finally {
    redirect.close();
    await client.close().catch(() => {});
  }
}

/** False if there was no login. */
export function logout(server: ConfiguredServer, { home, env }: Pick<TransportPlace, "home" | "env">): boolean {
  return forgetLogin(home, httpUrl(server, env));
}

function httpUrl({ name, settings }: ConfiguredServer, env: TransportPlace["env"]): string {
  const { url } = expandServer(settings, env).settings;
  if (url !== undefined && URL.canParse(url)) return url;
  throw new McpError("login-failed", `The MCP server ${name} has no URL; only HTTP servers support logins`, {
    data: { name },
  });
}

function failed(name: string, error: unknown): McpError {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof McpError) return cause;
  }
  const why = withoutControls(errorText(error)).slice(0, 300);
  return new McpError("login-failed", `Could not log in to the MCP server ${name}: ${why}`, {
    data: { name },
    hint: `Try again with: bough mcp login ${name}`,
    cause: error,
  });
}
