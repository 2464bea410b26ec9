/** What a command was kept from, as far as its output says: programs name the path that they could not write or read. */
import { resolve } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import type { Blocked } from "./sandbox.js";
import type { SandboxPlan } from "./sandbox-plan.js";

/** Only the end is looked at. */
const MOST_CHARACTERS = 100_000;
const MOST_FOUND = 20;

/** How the system refuses what is read-only, what is a mount, and what is hidden, with the path before it or after it. */
const READ_ONLY = /read-only file system|EROFS/i;
const BUSY = /device or resource busy|EBUSY/i;
const HIDDEN = /permission denied|EACCES/i;
const NO_CONNECTION = /connect|socket|daemon|agent/i;

/** How programs that know no proxy, such as ssh, say that they cannot look up a host or reach it. */
const NO_HOST = [
  /could not (?:resolve host(?:name)?|translate host name):? ["']?([\w.-]+\w)/i,
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+\w)/,
  /([\w-]+(?:\.[\w-]+)*): (?:temporary failure in name resolution|name or service not known)/i,
  /connect to (?:host|address) ([\w.-]+|[\da-f:]+) port \d+: network is unreachable/i,
];

/** Only hosts, and paths that the sandbox really closed or hid: a program may print anything. */
export function blockedInOutput(output: string, plan: SandboxPlan): readonly Blocked[] {
  const found = new Map<string, Blocked>();
  for (const line of output.slice(-MOST_CHARACTERS).split("\n")) {
    const host = NO_HOST.map((pattern) => pattern.exec(line)?.[1]).find((one) => one !== undefined);
    if (host !== undefined && found.size < MOST_FOUND) {
      found.set(host, { kind: "network", what: host, certain: false });
      continue;
    }
    if (![READ_ONLY, BUSY, HIDDEN, NO_CONNECTION].some((pattern) => pattern.test(line))) continue;
    // Before it may be the program's own path.
    const path = pathsIn(line, plan.cwd).at(-1);
    const kind = path === undefined ? undefined : kindOf(path, { plan, line });
    if (path !== undefined && kind !== undefined && found.size < MOST_FOUND) {
      found.set(path, { kind, what: path, certain: false });
    }
  }
  return [...found.values()];
}

function kindOf(
  path: string,
  { plan: { writable, closed, hidden }, line }: { readonly plan: SandboxPlan; readonly line: string },
): Blocked["kind"] | undefined {
  const mask = hidden.find((one) => isInside(one.path, path));
  const isService = path.endsWith(".sock") && isInside("/run", path.replace(/^\/var/, ""));
  if (isService || mask?.kind === "socket") return "socket";
  if (mask !== undefined) return HIDDEN.test(line) || BUSY.test(line) ? "read" : undefined;
  if (BUSY.test(line)) return closed.includes(path) ? "write" : undefined;
  const isOpen = writable.some((one) => isInside(one, path)) && !closed.some((one) => isInside(one, path));
  return READ_ONLY.test(line) && !isOpen ? "write" : undefined;
}

/** Words that may be paths: quoted ones whole, others up to a space or a colon. */
function pathsIn(line: string, cwd: string): readonly string[] {
  const words = [
    ...line.matchAll(/'([^']+)'|"([^"]+)"|‘([^’]+)’|(?:unix:\/\/)?((?:[\w.~-]*\/)[^\s:'",]+)|(\.[\w.-]+)/g),
  ];
  return words
    .map(([, ...forms]) => forms.find((form) => form !== undefined) ?? "")
    .filter((word) => /^[^\s]*[/.][^\s]*$|^\//.test(word) && word.length < 4096 && !word.includes("\0"))
    .map((word) => resolve(cwd, word.replace(/^unix:\/\//, "")));
}
