/** Hosts in rules: `web_fetch(example.com)` for one host, `web_fetch(*.example.com)` for all its subdomains. */

/** The host of a URL in the form used by rules: lower case, without port and trailing dot. */
export function hostOf(address: string): string | undefined {
  try {
    const { hostname } = new URL(address);
    const host = hostname.replace(/\.+$/, "");
    return host === "" ? undefined : host;
  } catch {
    return undefined;
  }
}

/** The normalized pattern, or why it is invalid. */
export function readHostPattern(text: string): { readonly pattern: string } | { readonly problem: string } {
  const [, wildcard = "", escaped = ""] = /^(\*\.)?((?:[^*\\]|\\\*)*)$/.exec(text.trim()) ?? [];
  const name = escaped.replaceAll("\\*", "*");
  // Only a host: a port, path or user name would make it misleading.
  const host = /^(?:[\p{L}\p{N}._*-]+|\[[\da-fA-F:.]+\])$/u.test(name) ? hostOf(`http://${name}/`) : undefined;
  if (host === undefined) return { problem: "Expected a host, such as example.com or *.example.com" };
  return { pattern: wildcard + host.replaceAll("*", "\\*") };
}

/** A pattern that matches only this host. */
export function escapedHost(host: string): string {
  return host.replaceAll("*", "\\*");
}

export function matchesHost(pattern: string, host: string): boolean {
  const plain = pattern.replaceAll("\\*", "*");
  return pattern.startsWith("*.") ? host.endsWith(plain.slice(1)) : host === plain;
}
