/** `fetch` for logins: no password, code or token goes over a connection that others can read. */
import { isLoopback } from "../../text/index.js";
import { McpError } from "../mcp-error.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Throws `login-failed` for an address that is neither https nor on this machine. */
export function requireSecure(address: string | URL, what: string): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url !== undefined && isSecure) return url;
  const shown = url === undefined ? "not a URL" : `${url.protocol}//${url.host}`;
  throw new McpError("login-failed", `${what} is not https: ${shown}`, {
    data: { address: shown },
    hint: "Nothing was sent there. The server has to offer an https address.",
  });
}

interface SecureFetchOptions {
  readonly url: string;
  /** Of the settings, often with a key: they are for the server, and not for addresses that it names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The address of the server itself is the user's own choice; every other one came from a server. */
export function secureFetch(fetch: Fetch, { url: serverUrl, headers = {} }: SecureFetchOptions): Fetch {
  const { origin, pathname } = new URL(serverUrl);
  return async (url, init) => {
    const asked = new URL(url);
    const isServer = asked.origin === origin && asked.pathname === pathname;
    if (!isServer) requireSecure(asked, "An address for logging in");
    if (asked.origin !== origin) return fetch(url, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return fetch(url, { ...init, headers: all });
  };
}
