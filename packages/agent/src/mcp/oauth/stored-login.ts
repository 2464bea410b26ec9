/** Logins to MCP servers in `auth.json`: for each URL the registered client and its tokens. */

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

/** Logins are stored by URL, not by name, so that a server elsewhere never gets these tokens. */
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
  /** The redirect of a login in progress; undefined if no login is possible now. */
  readonly redirect?: { readonly url: string; readonly state: string; readonly open: (url: URL) => void };
}

/**
 * The SDK's login storage. Without `redirect` it only uses and renews tokens; if a new login is needed, throws
 * `login-needed`.
 */
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
      scope,
    },
    state: () => redirect?.state ?? "",
    clientInformation: () => {
      if (clientId !== undefined) return { client_id: clientId, client_secret: clientSecret };
      const { client } = readLogin(home, url);
      if (client === undefined || redirect === undefined) return client;
      // If it was registered for another port, register it again.
      const registered =
        "redirect_uris" in client ? (client.redirect_uris as readonly unknown[] | undefined) : undefined;
      return registered?.includes(redirect.url) === true ? client : undefined;
    },
    saveClientInformation: (client) => saveLogin(home, url, { client }),
    tokens: () => readLogin(home, url).tokens,
    saveTokens: (tokens) => {
      // Without a new refresh token, the old one stays valid.
      const before = readLogin(home, url).tokens?.refresh_token;
      saveLogin(home, url, { tokens: { ...tokens, refresh_token: tokens.refresh_token ?? before } });
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
    // Remembered so that the response must come from the same server.
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
