/** `fetch` for logins: never sends a password, code or token over an unencrypted connection. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLoopback } from "@bough/session/text/index.js";
import { addressKind } from "../../tool/internal.js";
import { McpError } from "../mcp-error.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Throws `login-failed` for a URL that is neither https nor on this machine. */
export function requireSecure(address: string | URL, what: string): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url !== undefined && isSecure) return url;
  const shown = url === undefined ? "not a URL" : `${url.protocol}//${url.host}`;
  throw new McpError("login-failed", `${what} is not https: ${shown}`, {
    data: { address: shown },
    hint: "Nothing was sent there. The server must offer an https URL.",
  });
}

/** Host names that only exist in private networks. */
const PRIVATE_NAME = /^[^.]+$|\.(?:local|localhost|internal|intranet|lan|home|corp|home\.arpa)$/;

/** Whether a host is on this machine or in a private network, judged by its name or address alone. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$|\.$/g, "");
  return isIP(host) === 0 ? isLoopback(host) || PRIVATE_NAME.test(host) : addressKind(host) !== "public";
}

/**
 * Checks a login URL named by a server. A server on the internet must not point the user to their own machine or
 * network, where services trust local requests. Throws `login-failed`.
 */
export function requireAllowed(
  address: string | URL,
  { what, url }: { readonly what: string; readonly url: string },
): URL {
  const named = requireSecure(address, what);
  const server = new URL(url);
  if (named.origin === server.origin || isPrivateHost(server.hostname) || !isPrivateHost(named.hostname)) return named;
  throw privateAddress(named, what);
}

function privateAddress({ protocol, host }: URL, what: string): McpError {
  return new McpError("login-failed", `${what} is on this machine or in a private network: ${protocol}//${host}`, {
    data: { address: `${protocol}//${host}` },
    hint: "Nothing was sent there. A server on the internet may not name such an address.",
  });
}

type LookupAll = (host: string) => Promise<readonly { readonly address: string }[]>;

const lookupAll: LookupAll = (host) => lookup(host, { all: true });

interface SecureFetchOptions {
  readonly url: string;
  /** Headers from settings, often with a key: only sent to the server itself, not to URLs that it names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly lookup?: LookupAll;
}

/** The server's own URL was chosen by the user; all others were named by a server and are checked. */
export function secureFetch(fetch: Fetch, options: SecureFetchOptions): Fetch {
  const { url: serverUrl, headers = {}, lookup: lookupHost = lookupAll } = options;
  const { origin, pathname, hostname } = new URL(serverUrl);
  return async (url, init) => {
    const asked = new URL(url);
    const isServer = asked.origin === origin && asked.pathname === pathname;
    const what = "A login URL";
    if (!isServer) requireAllowed(asked, { what, url: serverUrl });
    if (asked.origin !== origin) {
      // A public name can resolve to a private address. If it cannot be resolved here, the request or a proxy will.
      const found = isPrivateHost(hostname) ? [] : await lookupHost(asked.hostname).catch(() => []);
      if (found.some(({ address }) => addressKind(address) !== "public")) throw privateAddress(asked, what);
      return fetch(url, init);
    }
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return fetch(url, { ...init, headers: all });
  };
}
