/** Splits a git remote's address so that the password is never in git's arguments, which every user can list. */
import { createHash } from "node:crypto";
import { attempt } from "@bough/session/text/index.js";
import { safeAddress } from "../shown-address.js";
import { StoreError } from "../store-error.js";

export interface GitAddress {
  /** The address given to git. */
  readonly url: string;
  /** Safe to show. */
  readonly shown: string;
  /** Distinguishes addresses that look the same when shown. */
  readonly key: string;
  /** True if the remote is on a file system, not on a network. */
  readonly isLocal: boolean;
  /** Variables that let git log in. */
  readonly environment: NodeJS.ProcessEnv;
  /** Never shown. */
  readonly user?: string;
  readonly password?: string;
}

/** A credential helper: git passes the operation as its argument and reads its output. */
const HELPER =
  '!f() { test "$1" = get || exit 0; printf "username=%s\\npassword=%s\\n" "$BOUGH_GIT_USER" "$BOUGH_GIT_PASSWORD"; }; f';

const WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@([^/?#]*)(.*)$/is;

export function gitAddress(remote: string): GitAddress {
  if (remote.startsWith("-")) throw new StoreError("store-unknown", `Not a repository address: ${remote}`);
  const shown = safeAddress(remote);
  const key = createHash("sha256").update(remote).digest("hex").slice(0, 32);
  const place = { url: remote, shown, key, isLocal: isLocal(remote), environment: {} };
  const [, scheme = "", login = "", host = "", path = ""] = WITH_USER.exec(remote) ?? [];
  // In `me:secret@host:path` the password is useless, and is not shown.
  if (scheme === "") return /^[^/]*:\/\//.test(remote) || place.isLocal ? place : { ...place, url: shown };
  const [user, password] = splitLogin(login);
  if (!/^https?:/i.test(scheme)) {
    // Only ssh uses the name, and no scheme here uses a password.
    const name = /ssh/i.test(scheme) ? `${login.split(":")[0]}@` : "";
    return { ...place, url: `${scheme}${name}${host}${path}`, password };
  }
  const server = `${scheme}${host}`;
  const url = `${server}${path}`;
  if (password === undefined)
    return { ...place, url, user, environment: settings([[`credential.${server}.username`, user]]) };
  // The empty helper disables the user's own helpers. Ours does not answer servers that this one redirects to.
  const environment = {
    ...settings([
      ["credential.helper", ""],
      [`credential.${server}.helper`, HELPER],
    ]),
    BOUGH_GIT_USER: user,
    BOUGH_GIT_PASSWORD: password,
  };
  return { ...place, url, user, password, environment };
}

/** Git's output without credentials and the address as given. */
export function withoutLogin(text: string, { url, shown, user = "", password = "" }: GitAddress): string {
  const hidden = [password, encodeURIComponent(password), user].filter((one) => one.length > 1);
  const pieces = text.replaceAll(url, shown).replaceAll(/\/\/[^/\s'"]*@/g, "//");
  const cleaned = pieces.split(shown).map((piece) =>
    hidden.reduce((rest, one) => {
      const word = one.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return rest.replaceAll(new RegExp(`(?<!\\w)${word}(?![\\w:])@?`, "g"), "…");
    }, piece),
  );
  return cleaned.join(shown);
}

/** The password may be empty: some servers take a token as the user name. */
function splitLogin(login: string): readonly [string, string | undefined] {
  const decoded = (part: string) => attempt(() => decodeURIComponent(part)) ?? part;
  const colon = login.indexOf(":");
  const user = decoded(colon < 0 ? login : login.slice(0, colon));
  const password = colon < 0 ? undefined : decoded(login.slice(colon + 1));
  // The helper's answer has one value per line.
  if (/[\n\r\0]/.test(`${user}${password}`))
    throw new StoreError("store-unknown", "User names and passwords in addresses must not contain line breaks");
  return [user, password];
}

function settings(pairs: readonly (readonly [string, string])[]): NodeJS.ProcessEnv {
  const numbered = pairs.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(numbered) };
}

function isLocal(remote: string): boolean {
  if (/^file:\/\//i.test(remote) || /^[a-z]:[\\/]/i.test(remote)) return true;
  return !/^[^/\\]+:/.test(remote);
}
