/** Parses the argument of `bough install`: an npm package, a git repository, or a path. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { InstallError } from "./install-error.js";

export type InstallSource =
  | { readonly kind: "npm"; readonly spec: string }
  | { readonly kind: "git"; readonly url: string; readonly ref?: string }
  | { readonly kind: "path"; readonly path: string };

const NPM_NAME = /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(@[^/\s]+)?$/i;
const TARBALL = /\.(tgz|tar\.gz)$/;
const GIT_URL = /^(git\+)?(https?|ssh|git|file):\/\//;
const SSH_PLACE = /^[\w.-]+@[\w.-]+:/;

/** Throws `bad-source` for anything else. An existing path takes precedence over a package of the same name. */
export function installSource(text: string, cwd: string): InstallSource {
  const source = text.trim();
  if (source === "") throw badSource(text, "Nothing to install");
  if (source.startsWith("npm:")) return npmSource(source.slice("npm:".length), text);
  if (source.startsWith("git:") && !source.startsWith("git://")) return gitSource(source.slice("git:".length), text);
  if (source.startsWith("github:")) return gitSource(`github.com/${source.slice("github:".length)}`, text);
  if (/^https?:/.test(source) && TARBALL.test(source)) return { kind: "npm", spec: source };
  if (GIT_URL.test(source) || SSH_PLACE.test(source)) return gitSource(source, text);
  const path = resolve(cwd, source.replace(/^~(?=\/|$)/, homedir()));
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() && TARBALL.test(path)) return { kind: "npm", spec: path };
  if (stats !== undefined) return { kind: "path", path };
  if (/^[./~]/.test(source)) throw badSource(text, `File or folder not found: ${path}`);
  return npmSource(source, text);
}

/** The source for display and storage, without passwords. */
export function shownSource(source: InstallSource): string {
  switch (source.kind) {
    case "npm":
      return `npm:${withoutPassword(source.spec)}`;
    case "git":
      return `git:${withoutPassword(source.url)}${source.ref === undefined ? "" : `@${source.ref}`}`;
    case "path":
      return source.path;
  }
}

/** Removes user names and passwords from URLs in a text. */
export function withoutPassword(text: string): string {
  return text.replace(/(\w+:\/\/)[^/@\s]+@/g, "$1");
}

/** A provisional name for messages; the package itself may have another one. */
export function nameOfSource(source: InstallSource): string {
  switch (source.kind) {
    case "npm":
      return basename(source.spec)
        .replace(/(?<=.)@.*$/, "")
        .replace(TARBALL, "");
    case "git":
      return basename(source.url.replace(/\/+$/, ""))
        .replace(/\.git$/, "")
        .replace(/^.*:/, "");
    case "path":
      return basename(source.path).replace(/\.[cm]?[jt]s$/, "");
  }
}

function npmSource(spec: string, text: string): InstallSource {
  if (NPM_NAME.test(spec)) return { kind: "npm", spec };
  throw badSource(text, `Not a package name: ${spec}`);
}

function gitSource(place: string, text: string): InstallSource {
  const { address, ref } = withRef(place.replace(/^git\+/, ""));
  const url =
    GIT_URL.test(address) || SSH_PLACE.test(address) || address.startsWith("/") ? address : `https://${address}`;
  // A leading dash would be parsed as a flag, and `ext::` runs a program.
  const bad = [address, ref ?? ""].some((part) => part.startsWith("-")) || url.includes("::") || /\s/.test(place);
  if (bad || address === "") throw badSource(text, `Not a git address: ${withoutPassword(place)}`);
  return { kind: "git", url, ref };
}

/** Splits off `@v1` or `#v1` after the last part of the path; an `@` before the host does not count. */
function withRef(place: string): { readonly address: string; readonly ref?: string } {
  const found = /^(.*[/:][^/:@#]+)[@#]([^:@#\s]+)$/.exec(place);
  const [, address, ref] = found ?? [];
  return address === undefined || ref === undefined || isUser(place, address) ? { address: place } : { address, ref };
}

function isUser(place: string, address: string): boolean {
  return /^\w+:\/\/[^/]*$/.test(address) && place.includes("://");
}

function badSource(source: string, message: string): InstallError {
  return new InstallError("bad-source", message, {
    data: { source: withoutPassword(source) },
    hint: "Give an npm package (name or npm:name@version), a git repository (git:github.com/owner/repository@tag) or a path.",
  });
}
