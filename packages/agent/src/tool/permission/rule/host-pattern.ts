/** Hosts in rules: `web_fetch(example.com)` for one, `web_fetch(*.example.com)` for every name below it. */

/** The host of an address, as rules name it: lower case, without port and without a dot at its end. */
export function hostOf(address: string): string | undefined {
  try {
    const { hostname } = new URL(address);
    const host = hostname.replace(/\.+$/, "");
    return host === "" ? undefined : host;
  } catch {
    return undefined;
  }
}

/** The pattern in the form it is compared in, or why it is not one. */
export function readHostPattern(text: string): { readonly pattern: string } | { readonly problem: string } {
  const [, wildcard = "", escaped = ""] = /^(\*\.)?((?:[^*\\]|\\\*)*)$/.exec(text.trim()) ?? [];
  const name = escaped.replaceAll("\\*", "*");
  // Only the host: with a port, a path or a name of a user it would not be what it looks like.
  const host = /^(?:[\p{L}\p{N}._*-]+|\[[\da-fA-F:.]+\])$/u.test(name) ? hostOf(`http://${name}/`) : undefined;
  if (host === undefined) return { problem: "Expected a host, such as example.com or *.example.com" };
  return { pattern: wildcard + host.replaceAll("*", "\\*") };
}

/** A host as a pattern that matches only it. */
export function escapedHost(host: string): string {
  return host.replaceAll("*", "\\*");
}

export function matchesHost(pattern: string, host: string): boolean {
  const plain = pattern.replaceAll("\\*", "*");
  return pattern.startsWith("*.") ? host.endsWith(plain.slice(1)) : host === plain;
}
