/** Addresses of stores and remotes as they may be shown, without passwords whatever the input. */
import { attempt } from "@bough/session/text/index.js";

/** Parameters that only locate a store. The values of all others are hidden. */
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set([
  "application_name",
  "connect_timeout",
  "dbname",
  "host",
  "port",
  "sslmode",
  "user",
]);

/** The parts of `scheme://…` as typed. */
export interface AddressParts {
  /** In lower case. */
  readonly scheme: string;
  /** Everything after `://`. */
  readonly rest: string;
  /** Up to the first slash, question mark or number sign: user, password, host and port. */
  readonly authority: string;
  /** Everything after the authority. */
  readonly after: string;
}

/** Undefined unless the address has a scheme and `://`. */
export function addressParts(address: string): AddressParts | undefined {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(address) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const [authority = ""] = /^[^/?#\\]*/.exec(rest) ?? [];
  return { scheme: scheme.toLowerCase(), rest, authority, after: rest.slice(authority.length) };
}

/** Whether the text looks like an address rather than a name. */
export function looksLikeAddress(text: string): boolean {
  return /[:/\\@]/.test(text);
}

/**
 * The address without passwords and without the values of parameters that may be secret; the rest stays as typed. Never
 * throws: anything that might be part of a password is cut.
 *
 *     postgres://me:secret@host:5432/db?password=x   ->   postgres://me@host:5432/db?password=…
 *     https://token@host/team/app.git                ->   https://host/team/app.git
 */
export function safeAddress(address: string): string {
  const parts = addressParts(address);
  if (parts === undefined) return withoutShortPassword(address);
  const { scheme, authority, after } = parts;
  if (attempt(() => new URL(address)) === undefined || isAmbiguous(parts)) return cut(parts);
  const at = authority.lastIndexOf("@");
  const [user = ""] = authority.slice(0, Math.max(0, at)).split(":");
  // The user name for a web server is often a token.
  const shownUser = user === "" || /^(?:git\+)?https?$/.test(scheme) ? "" : `${user}@`;
  const [path = ""] = /^[^?#]*/.exec(after) ?? [];
  const [, query] = /^[^?#]*\?([^#]*)/.exec(after) ?? [];
  return `${scheme}://${shownUser}${authority.slice(at + 1)}${path}${shownQuery(query)}`;
}

/**
 * Whether an unescaped slash, number sign or question mark in a password may have ended the host too early. The address
 * may still be a valid URL: `postgres://me:12/secret@host/db` has the host `me` and the port 12.
 */
function isAmbiguous({ authority, after }: AddressParts): boolean {
  if (!authority.includes(":")) return false;
  const withoutParameters = after.replace(/\?[\w.-]+=[^#]*/, "");
  return (authority.includes("@") ? withoutParameters : after).includes("@");
}

/**
 * Whether an unescaped slash in a password ended the host too early: `https://me:12/secret@example.com/app` is a URL
 * with the host `me`, the port 12 and the rest as its path. No remote works with such an address.
 */
export function hasStrayPassword(address: string): boolean {
  const url = attempt(() => new URL(address));
  if (url === undefined || (url.port === "" && url.password === "")) return false;
  return /[^/]@(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?\//.test(url.pathname);
}

function cut({ scheme, rest }: AddressParts): string {
  const at = rest.lastIndexOf("@");
  // What looks like parameters may be part of a password, and one of them may contain the last @.
  if (/[?&][\w.-]+=/.test(rest)) return `${scheme}://…`;
  if (at < 0) return `${scheme}://${rest.split(/[:/?#]/)[0]}…`;
  return `${scheme}://${rest.slice(at + 1).replace(/[?#].*$/s, "")}`;
}

function shownQuery(query: string | undefined): string {
  if (query === undefined || query === "") return "";
  const shown = query.split("&").map((one) => {
    const [name = ""] = one.split("=");
    return SHOWN_PARAMETERS.has(name.toLowerCase()) ? one : one.includes("=") ? `${name}=…` : "…";
  });
  return `?${shown.join("&")}`;
}

/** For `me:secret@host:path`: ssh takes no password here, but people type one. */
function withoutShortPassword(address: string): string {
  if (/^[a-z]:[\\/]/i.test(address)) return address;
  return address.replace(/^([^/\\:@]+):.*@/s, "$1@");
}
