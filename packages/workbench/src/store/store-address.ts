/** Parses the address of a store (a folder, a git remote or a database) and checks it. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "@bough/session/text/index.js";
import { checkDatabaseAddress, PERCENT_ENCODE } from "./postgres/address.js";
import { encryption } from "./postgres/encryption.js";
import { addressParts, hasStrayPassword, safeAddress } from "./shown-address.js";
import { StoreError } from "./store-error.js";

export type StoreKind = "folder" | "git" | "postgres";

/**
 * The kind of an address: `postgres://…` is a database; `https://…`, `ssh://…`, `git://…`, `git+…`, `git@…` and
 * anything that ends in `.git` is a git remote; anything else without a scheme is a folder. Throws `store-unknown` for
 * other schemes.
 */
export function storeKind(address: string): StoreKind {
  const scheme = addressParts(address)?.scheme;
  if (scheme === "postgres" || scheme === "postgresql") return "postgres";
  if (scheme !== undefined && /^(?:https?|ssh|git|git\+.*)$/.test(scheme)) return "git";
  if (scheme !== undefined && scheme !== "file") throw unknownScheme(`${scheme}://`);
  // git runs a helper program for such an address, and nobody means it as a folder.
  const [helper] = /^[a-z][a-z0-9+.-]*::/i.exec(address) ?? [];
  if (helper !== undefined) throw unknownScheme(helper);
  // With its slashes missing, an address with a password would become the name of a folder.
  const [meant] = /^(?:postgres(?:ql)?|https?|ssh):(?!\/\/)/i.exec(address) ?? [];
  if (meant !== undefined) throw unknownScheme(meant.toLowerCase(), `Did you mean ${meant.toLowerCase()}//…?`);
  if (/^git\+/i.test(address) || (scheme === undefined && isShort(address))) return "git";
  return /\.git\/?$/.test(address) ? "git" : "folder";
}

/** The short form of ssh and scp: `git@host:path`. */
function isShort(address: string): boolean {
  return /^[^/\\]+@[^/\\:]+:/.test(address);
}

/** The message omits the rest, which may contain a password. */
function unknownScheme(
  start: string,
  hint = "Use a folder, a git remote (https://…, git@…) or postgres://…",
): StoreError {
  return new StoreError("store-unknown", `Not an address of a store: ${start}…`, { hint });
}

/** Whether a database on another machine is used without encryption, because its address says so. */
export function isSentInClearText(address: string): boolean {
  return storeKind(address) === "postgres" && encryption(address) === "off";
}

/** The address in a form that works from every folder. Throws `store-unknown` if it is invalid. */
export function absoluteAddress(typed: string, cwd: string): string {
  const address = typed.trim();
  if (address === "") throw new StoreError("store-unknown", "The address is empty");
  const kind = checkAddress(address);
  const isAbsolute = addressParts(address) !== undefined || isFileUrl(address) || (kind === "git" && isShort(address));
  if (isAbsolute) return kind === "postgres" ? withAbsoluteFiles(address, cwd) : address;
  const [, plus = "", path = ""] = /^(git\+)?(.*)$/is.exec(address) ?? [];
  return `${plus}${resolve(cwd, path.replace(/^~(?=\/|$)/, homedir()))}`;
}

/** The certificates in the address of a database. */
function withAbsoluteFiles(address: string, cwd: string): string {
  return address.replace(/([?&]ssl(?:rootcert|cert|key)=)([^&]+)/g, (whole, start: string, given: string) => {
    const path = attempt(() => decodeURIComponent(given));
    if (path === undefined || path === "system") return whole;
    const absolute = resolve(cwd, path.replace(/^~(?=\/|$)/, homedir()));
    return `${start}${encodeURIComponent(absolute).replaceAll("%2F", "/")}`;
  });
}

/** Returns the kind. Throws `store-unknown` for an invalid URL, most often caused by an unescaped password. */
export function checkAddress(address: string): StoreKind {
  const kind = storeKind(address);
  if (kind === "postgres") {
    checkDatabaseAddress(address);
    return kind;
  }
  const plain = address.replace(/^git\+/i, "");
  if (addressParts(plain) === undefined || (isUrl(plain) && !hasStrayPassword(plain))) return kind;
  throw new StoreError("store-unknown", `Not a valid address: ${safeAddress(address)}`, {
    hint: PERCENT_ENCODE,
  });
}

function isUrl(address: string): boolean {
  return attempt(() => new URL(address)) !== undefined;
}

/** git accepts schemes only in lower case. */
export function remoteOf(address: string): string {
  return address.replace(/^git\+/i, "").replace(/^[a-z]+(?=:\/\/)/i, (scheme) => scheme.toLowerCase());
}

export function folderOf(address: string): string {
  const folder = pathOf(address);
  if (folder === undefined)
    throw new StoreError("store-unknown", `Not a path on this machine: ${safeAddress(address)}`, {
      hint: "Use a path, or file:///… with three slashes.",
    });
  if (statSync(folder, { throwIfNoEntry: false })?.isFile() === true)
    throw new StoreError("store-unknown", `Not a folder: ${folder}`);
  return folder;
}

function pathOf(address: string): string | undefined {
  return isFileUrl(address) ? attempt(() => fileURLToPath(address)) : resolve(address);
}

function isFileUrl(address: string): boolean {
  return /^file:/i.test(address);
}

/** An address for display, without passwords and without user names that may be tokens. Never throws. */
export function shownAddress(address: string): string {
  const kind = attempt(() => storeKind(address));
  if (kind === undefined) return `${/^[a-z0-9+.-]*:(?:\/\/)?/i.exec(address)?.[0] ?? ""}…`;
  if (kind === "folder") return pathOf(address) ?? safeAddress(address);
  return safeAddress(kind === "git" ? remoteOf(address) : address);
}
