/** Unix sockets of this machine: behind one may be a program that does outside what the sandbox forbids. */
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { itemsIn, OWNER_MARK } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";

/** Variables that name a socket or a folder of sockets. */
const VARIABLES = [
  "SSH_AUTH_SOCK",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_HOST",
  "TMUX",
  "GPG_AGENT_INFO",
];

/** Folders of sockets in temporary folders, where new ones may appear at any time. */
const SOCKET_FOLDERS = /^(?:\.X11-unix|\.ICE-unix|\.font-unix|tmux-\d+|screens?|ssh-\w+|emacs\d+|dbus-\w+|gpg-\w+)$/;

/** The folders in which proxies of sandboxes listen, as temporary folders are named. */
export const SOCKET_FOLDER = "sandbox";
const PROXY_SOCKET = new RegExp(`/bough-${SOCKET_FOLDER}-${OWNER_MARK}-\\w+/s$`);

/** Folders below a temporary folder that are looked through for sockets. */
const MOST_FOLDERS = 2000;

/**
 * Real paths of sockets and folders of sockets that exist. Those that programs outside listen on are known from the
 * kernel; it does not list those of commands in a sandbox, which has a network of its own. `known` are others. Proxies of
 * other sandboxes are left out: they serve nobody else, and are gone at any moment.
 */
export function hostSockets(known: readonly string[], env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    const real = attempt(() => realpathSync(path));
    if (real !== undefined && real !== "/" && !PROXY_SOCKET.test(real)) found.add(real);
  };
  for (const path of listeningPaths(attempt(() => readFileSync("/proc/net/unix", "utf8")) ?? "")) add(path);
  for (const name of VARIABLES) {
    const path = /(?:^|[=:])(?:\/\/)?(\/[^,;:]*)/.exec(env[name] ?? "")?.[1];
    // A folder is hidden only if it is one of sockets, which the user's own runtime folder is.
    if (path !== undefined && (name === "XDG_RUNTIME_DIR" || isSocket(path))) add(path);
  }
  for (const path of known) add(path);
  return [...found];
}

/** The last field of each line is the path a socket was bound to; `@` begins one that is not in the file system. */
export function listeningPaths(text: string): readonly string[] {
  const paths = new Set<string>();
  for (const line of text.split("\n").slice(1)) {
    const path = /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1];
    if (path !== undefined && isAbsolute(path)) paths.add(path);
  }
  return [...paths];
}

/** Sockets in temporary folders. The kernel knows a socket by its first name, and some programs rename it. */
export function temporarySockets(): readonly string[] {
  return [...new Set([tmpdir(), "/tmp"])].flatMap(socketsBelow);
}

function socketsBelow(folder: string): readonly string[] {
  const found: string[] = [];
  const waiting = [{ folder, depth: 0 }];
  for (let at = 0; at < waiting.length && at < MOST_FOLDERS; at++) {
    const { folder: here, depth } = waiting[at] as { folder: string; depth: number };
    for (const item of itemsIn(here)) {
      const path = join(here, item.name);
      if (item.isSocket()) found.push(path);
      else if (!item.isDirectory()) continue;
      else if (depth === 0 && SOCKET_FOLDERS.test(item.name)) found.push(path);
      else if (depth === 0) waiting.push({ folder: path, depth: 1 });
    }
  }
  return found;
}

function isSocket(path: string): boolean {
  return attempt(() => lstatSync(path).isSocket()) === true;
}
