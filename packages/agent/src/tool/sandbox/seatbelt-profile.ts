/** The profile of macOS's sandbox for a plan. */
import type { SandboxPlan } from "./sandbox-plan.js";

/** Later rules win. Reading is allowed, writing and connecting are not, and what is named after that is an exception. */
export function seatbeltProfile({ writable, closed, hidden, sockets }: SandboxPlan, port: number): string {
  const below = (path: string) => `(subpath ${quoted(path)})`;
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/dev/fd") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/stdout") (literal "/dev/stderr") (literal "/dev/tty") (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))',
    ...writable.map((path) => `(allow file-write* ${below(path)})`),
    ...closed.map((path) => `(deny file-write* ${below(path)})`),
    // A folder above would take what is closed along.
    ...closed
      .flatMap(parentsOf)
      .filter(isFirst)
      .map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...hidden.map(({ path }) => `(deny file-read* file-write* ${below(path)})`),
    "(deny network*)",
    '(allow network-bind (local ip "localhost:*"))',
    '(allow network-inbound (local ip "localhost:*"))',
    '(allow network-outbound (remote ip "localhost:*"))',
    `(allow network-outbound (remote ip "localhost:${port}"))`,
    ...writable.flatMap((path) => [
      `(allow network-bind (local unix-socket ${below(path)}))`,
      `(allow network-outbound (remote unix-socket ${below(path)}))`,
    ]),
    ...hidden.map(({ path }) => `(deny network-outbound (remote unix-socket ${below(path)}))`),
    ...sockets.map((path) => `(allow network-outbound (remote unix-socket (literal ${quoted(path)})))`),
    // Programs that run outside and do what they are asked: the launcher of applications, scripts for other programs.
    '(deny mach-lookup (global-name "com.apple.coreservices.launchservicesd") (global-name "com.apple.lsd.mapdb"))',
    "(deny appleevent-send)",
    "(deny process-info* (target others))",
    "(allow process-info* (target same-sandbox))",
    "(deny signal (target others))",
    "(allow signal (target same-sandbox))",
    "",
  ].join("\n");
}

function parentsOf(path: string): readonly string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`);
}

function isFirst(path: string, at: number, all: readonly string[]): boolean {
  return all.indexOf(path) === at;
}

/** A string of the profile's language. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
