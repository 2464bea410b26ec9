/** Finds the proxy set in the environment, in the variables that curl and most other programs use. */
import { isLoopback } from "@bough/session/text/index.js";
import type { Environment } from "./environment.js";

/**
 * The proxy for a URL; undefined for a direct connection. This machine is always reached directly, because a proxy
 * elsewhere could not reach its servers.
 */
export function proxyOf(url: URL, env: Environment): string | undefined {
  if (isLoopback(url.hostname) || isExcepted(url, variableIn(env, "NO_PROXY") ?? "")) return undefined;
  const given =
    variableIn(env, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") ?? variableIn(env, "ALL_PROXY");
  return given === undefined || given.includes("://") ? given : `http://${given}`;
}

/** The names of the proxy variables that are set, for reports. Never the values, which may contain passwords. */
export function proxyVariables(env: Environment): string[] {
  return ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].filter((name) => variableIn(env, name) !== undefined);
}

/** Lower case first, like curl. */
function variableIn(env: Environment, name: string): string | undefined {
  const value = [env[name.toLowerCase()], env[name]].find((one) => one !== undefined && one.trim() !== "");
  return value?.trim();
}

function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = "", wanted] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const bare = name.replace(/^\*?\./, "");
    if (bare === "" || (wanted !== undefined && wanted !== port)) return false;
    return host === bare || host.endsWith(`.${bare}`);
  });
}
