import type { Environment } from "./environment.js";
import { NetworkError } from "./network-error.js";
import { proxyOf, proxyVariables } from "./proxy-of.js";

type Fetch = typeof globalThis.fetch;

/** Socket errors that mean that the proxy, not the server behind it, could not be reached. */
const UNREACHED = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ETIMEDOUT"]);

/**
 * `fetch` through the proxy set in the environment. Node's `fetch` ignores those variables, so requests that need a
 * proxy use `undici`, which is loaded for the first such request.
 */
export function proxiedFetch(env: Environment): Fetch {
  if (proxyVariables(env).length === 0) return (input, init) => globalThis.fetch(input, init);
  const agents = new Map<string, object>();
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const proxy = proxyOf(url, env);
    if (proxy === undefined) return globalThis.fetch(input, init);
    const { ProxyAgent, fetch } = await import("undici");
    const address = addressOf(proxy);
    // Plain http is forwarded, as proxies expect; https goes through a tunnel that the proxy cannot read.
    const key = `${url.protocol} ${proxy}`;
    const agent = agents.get(key) ?? new ProxyAgent({ uri: proxy, proxyTunnel: url.protocol === "https:" });
    agents.set(key, agent);
    try {
      return (await (fetch as unknown as (...all: unknown[]) => Promise<Response>)(url, {
        ...init,
        dispatcher: agent,
      })) as Response;
    } catch (error) {
      throw proxyError(error, address) ?? error;
    }
  };
}

/** The proxy's address without user name and password. */
function addressOf(proxy: string): string {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  const kind = url === undefined ? "is not a valid URL" : `has the type ${url.protocol.slice(0, -1)}`;
  throw new NetworkError("proxy", `The proxy in the environment ${kind}; only http and https proxies are supported`);
}

function proxyError(error: unknown, address: string): NetworkError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 6; current = current.cause, depth++) {
    const { code } = current as Error & { readonly code?: unknown };
    const [, status] = /^Proxy response \((\d+)\)/.exec(current.message) ?? [];
    if (status !== undefined) return refusal(address, status, error);
    if (typeof code === "string" && (UNREACHED.has(code) || code === "UND_ERR_CONNECT_TIMEOUT")) {
      return new NetworkError("proxy", `The proxy ${address} cannot be reached (${code})`, { cause: error });
    }
  }
  return undefined;
}

function refusal(address: string, status: string, cause: unknown): NetworkError {
  const why = status === "407" ? "requires a user name and password" : "refused the connection";
  return new NetworkError("proxy", `The proxy ${address} ${why} (${status})`, { cause });
}
