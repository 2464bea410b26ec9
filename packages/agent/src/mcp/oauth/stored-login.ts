/** Logins to MCP servers in `auth.json`: for each address the client that was registered, and its tokens. */

import { isRecord } from "@bough/session/text/index.js";
import { readAuthEntry } from "@bough/workbench/secrets/index.js";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { changeAuthEntry } from "../../model/internal.js";
import { McpError } from "../mcp-error.js";
import type { McpServerSettings } from "../settings/server-settings.js";

interface Login {
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
}

/** A login belongs to an address and not to a name: a server elsewhere never gets the tokens of this one. */
function entryName(url: string): string {
  const { origin, pathname } = new URL(url);
  return `mcp:${origin}${pathname.replace(/\/+$/, "")}`;
}

function readLogin(home: string, url: string): Login {
  const entry = readAuthEntry(home, entryName(url));
  return isRecord(entry) && entry.type === "mcp" ? (entry as Login) : {};
}

function saveLogin(home: string, url: string, login: Login): void {
  changeAuthEntry(home, entryName(url), (before) => ({
    ...(isRecord(before) ? before : {}),
    type: "mcp",
    ...login,
  }));
}

export function hasLogin(home: string, url: string): boolean {
  return readLogin(home, url).tokens !== undefined;
}

/** False if there was none. */
export function forgetLogin(home: string, url: string): boolean {
  let found = false;
  if (readAuthEntry(home, entryName(url)) === undefined) return false;
  changeAuthEntry(home, entryName(url), (before) => {
    found = before !== undefined;
    return undefined;
  });
  return found;
}

interface LoginOptions {
  readonly home: string;
  readonly url: string;
  readonly settings: McpServerSettings;
  /** Where the browser comes back to; undefined if no one can log in now. */
  readonly redirect?: { readonly url: string; readonly state: string; readonly open: (url: URL) => void };
}

/** What the SDK asks for and tells. Without `redirect` it only uses and renews tokens; a new login is `login-needed`. */
export function storedLogin({ home, url, settings, redirect }: LoginOptions): OAuthClientProvider {
  const { clientId, clientSecret, scope } = settings.oauth ?? {};
  let verifier: string | undefined;
  let discovery: OAuthDiscoveryState | undefined;
  return {
    redirectUrl: redirect?.url ?? "http://127.0.0.1/callback",
    clientMetadata: {
      client_name: "Bough",
      redirect_uris: [redirect?.url ?? "http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_post",
      ...(scope === undefined ? {} : { scope }),
    },
    state: () => redirect?.state ?? "",
    clientInformation: () => {
      if (clientId !== undefined) {
        return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
      }
      const { client } = readLogin(home, url);
      if (client === undefined || redirect === undefined) return client;
      // Registered for another port: it has to be registered again.
      const registered =
        "redirect_uris" in client ? (client.redirect_uris as readonly unknown[] | undefined) : undefined;
      return registered?.includes(redirect.url) === true ? client : undefined;
    },
    saveClientInformation: (client) => saveLogin(home, url, { client }),
    tokens: () => readLogin(home, url).tokens,
    saveTokens: (tokens) => {
      // A server that gives no new refresh token means that the old one stays.
      const before = readLogin(home, url).tokens?.refresh_token;
      const refresh = tokens.refresh_token ?? before;
      saveLogin(home, url, { tokens: { ...tokens, ...(refresh === undefined ? {} : { refresh_token: refresh }) } });
    },
    redirectToAuthorization: (address) => {
      if (redirect === undefined) throw new McpError("login-needed", "The login has expired");
      redirect.open(address);
    },
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => {
      if (verifier === undefined) throw new McpError("login-failed", "The login was not started here");
      return verifier;
    },
    // The answer has to come from the server that was asked.
    saveDiscoveryState: (state) => {
      discovery = state;
    },
    discoveryState: () => discovery,
    invalidateCredentials: (what) => {
      if (what === "verifier" || what === "discovery") return;
      changeAuthEntry(home, entryName(url), (before) => {
        if (what === "all" || !isRecord(before)) return undefined;
        const { [what]: _, ...rest } = before;
        return rest;
      });
    },
  };
}
