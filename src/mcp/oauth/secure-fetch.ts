/** `fetch` for logins: no password, code or token goes over a connection that others can read. */
import { isLoopback } from "../../model/internal.js";
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

/** The address of the server itself is the user's own choice; every other one came from a server. */
export function secureFetch(fetch: Fetch, serverUrl: string): Fetch {
  const { origin, pathname } = new URL(serverUrl);
  return async (url, init) => {
    const asked = new URL(url);
    const isServer = asked.origin === origin && asked.pathname === pathname;
    if (!isServer) requireSecure(asked, "An address for logging in");
    return fetch(url, init);
  };
}
