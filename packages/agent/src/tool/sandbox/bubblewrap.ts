/** The arguments of bubblewrap for a plan, and what runs first inside. Nothing is mounted over a path that does not exist. */
import { existsSync, lstatSync } from "node:fs";
import { isInside } from "@bough/session/log/index.js";
import { attempt, shellWord } from "@bough/session/text/index.js";
import { helloOf } from "./host-proxy.js";
import type { SandboxPlan } from "./sandbox-plan.js";

/** Where the socket of the proxy is inside: bubblewrap makes a `/dev` of its own, on any system. */
const SOCKET = "/dev/bough-network";
/** On the loopback of the sandbox, which is empty. */
const PORT = 47_631;

/** Parts of `/run` that programs are in, or disks; the rest is sockets and the state of services. */
const KEPT_OF_RUN = ["current-system", "booted-system", "opengl-driver", "wrappers", "media"];

export interface BubblewrapOptions {
  readonly plan: SandboxPlan;
  /** The proxy's socket, outside. */
  readonly socket: string;
  readonly temporary: string;
  /** File descriptor that bubblewrap reports to. */
  readonly statusFd: number;
  /** File descriptor of the filter of system calls, if there is one. */
  readonly filterFd?: number | undefined;
}

export function bubblewrapArguments({
  plan,
  socket,
  temporary,
  statusFd,
  filterFd,
}: BubblewrapOptions): readonly string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--cap-drop", "ALL"],
    // A terminal that is passed in cannot be typed into, and nothing outlives Bough.
    ...["--new-session", "--die-with-parent", "--json-status-fd", String(statusFd)],
    ...(filterFd === undefined ? [] : ["--seccomp", String(filterFd)]),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Bubblewrap leaves these open for root, who owns them: writing needs no capability.
    ...["sys", "sysrq-trigger", "acpi", "scsi", "fs", "driver"].flatMap((name) => closedOfProc(name)),
    ...(isFolder("/run")
      ? ["--tmpfs", "/run", ...KEPT_OF_RUN.flatMap((name) => ["--ro-bind-try", `/run/${name}`, `/run/${name}`])]
      : []),
    ...(isFolder("/var/run") ? ["--tmpfs", "/var/run"] : []),
    ...places(plan),
    ...(isFolder("/run") ? ["--remount-ro", "/run"] : []),
    ...["--bind", socket, SOCKET],
    ...["--setenv", "TMPDIR", temporary, ...proxyVariables(PORT).flatMap(([name, value]) => ["--setenv", name, value])],
    ...["--chdir", plan.cwd],
  ];
}

/** What is deeper comes later, because a mount covers everything below it; and what is hidden stays hidden. */
function places({ writable, closed, hidden, sockets }: SandboxPlan): readonly string[] {
  const covered = (path: string) => hidden.some((one) => one.kind === "folder" && isInside(one.path, path));
  const steps = [
    ...writable.map((path) => ({ path, rank: 0, step: ["--bind-try", path, path] })),
    ...closed.map((path) => ({ path, rank: 1, step: ["--ro-bind-try", path, path] })),
    ...sockets.map((path) => ({ path, rank: 1, step: ["--bind-try", path, path] })),
  ].filter(({ path }) => !covered(path));
  const masks = hidden.map(({ path, kind }) => ({
    path,
    rank: 2,
    // A device on a file system without devices: opening it is refused, and so is connecting to it.
    step:
      kind === "folder" ? ["--perms", "0000", "--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path],
  }));
  return [...steps, ...masks]
    .sort((a, b) => a.path.length - b.path.length || a.rank - b.rank)
    .flatMap(({ step }) => step);
}

/** Programs find the proxy in these. `ALL_PROXY` is HTTP too: many cannot use SOCKS without a package of their own. */
export function proxyVariables(port: number): readonly (readonly [string, string])[] {
  const proxy = `http://127.0.0.1:${port}`;
  const here = "localhost,127.0.0.1,::1,0.0.0.0";
  return [
    ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
      [name, proxy] as const,
      [name.toLowerCase(), proxy] as const,
    ]),
    ["NO_PROXY", here],
    ["no_proxy", here],
    ["NODE_USE_ENV_PROXY", "1"],
  ];
}

/** The command, or where it comes from: a byte on the descriptor `go` says that it is in the file `command`. */
export type Inside =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "waiting"; readonly go: number; readonly command: number };

export interface InsideOptions {
  readonly shell: string;
  readonly isBash: boolean;
  readonly socat: string;
  readonly inside: Inside;
  /** What the proxy expects. */
  readonly secret: string;
  /** Where errors of the command go; until it runs, they go elsewhere. */
  readonly errorsFd: number;
}

/**
 * The words after bubblewrap's arguments: starts the bridge from a port to the proxy's socket; says hello over it, so that
 * a sandbox whose Bough has just been killed does nothing; and becomes the command. The bridge is not a child of the
 * command, which may wait for its children.
 */
export function insideWords({ shell, isBash, socat, inside, secret, errorsFd }: InsideOptions): readonly string[] {
  const [program, hello] = [shellWord(socat), shellWord(helloOf(secret))];
  const listens = `TCP-LISTEN:${PORT},bind=127.0.0.1,fork,reuseaddr,backlog=128`;
  const fds = [errorsFd, ...(inside.kind === "waiting" ? [inside.go, inside.command] : [])];
  const closed = fds.map((fd) => `${fd}>&-`).join(" ");
  // The port is open after a few milliseconds, and Bough may be busy for longer.
  const saysHello = isBash
    ? [
        `until { exec 9<>/dev/tcp/127.0.0.1/${PORT}; } 2>/dev/null || [ $SECONDS -gt 60 ]; do :; done`,
        `_bough=; { echo ${hello} >&9; read -r _bough <&9; exec 9>&-; } 2>/dev/null`,
      ]
    : [`_bough=$(echo ${hello} | ${program} -t 600 - TCP:127.0.0.1:${PORT},retry=60000,interval=0.001 2>/dev/null)`];
  // The bridge would keep the sandbox: everything else in it is ended. Only there is this process number 2.
  const ends = (said: string) => `{ [ $$ = 2 ] && kill -KILL -1; ${said}exit 125; }`;
  const script = [
    // Bough may be gone at any moment, and the shell has to outlive what it writes to it.
    "trap '' PIPE",
    `(trap - PIPE; ${program} ${listens} UNIX-CONNECT:${SOCKET} </dev/null >/dev/null 2>&1 ${closed} &)`,
    ...saysHello,
    `[ "$_bough" = ok ] || ${ends('echo "The sandbox lost its connection to Bough; the command was not run" >&2; ')}`,
    ...(inside.kind === "waiting" ? [`read -r _bough <&${inside.go} || ${ends("")}`] : []),
    `exec 2>&${errorsFd} ${errorsFd}>&-`,
    `trap - PIPE; unset _bough; ${inside.kind === "waiting" ? `. /proc/self/fd/${inside.command}` : 'exec "$@"'}`,
  ].join("\n");
  return [shell, "-c", script, "bough", ...(inside.kind === "command" ? [shell, "-c", inside.command] : [])];
}

/** The environment of a command that comes later, as words such as `A=b`. */
export function environmentInside(
  env: NodeJS.ProcessEnv,
  { cwd, temporary }: { readonly cwd: string; readonly temporary: string },
): readonly string[] {
  const all = { ...env, TMPDIR: temporary, ...Object.fromEntries(proxyVariables(PORT)), PWD: cwd };
  return Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

function isFolder(path: string): boolean {
  return existsSync(path) && attempt(() => lstatSync(path).isDirectory()) === true;
}

function closedOfProc(name: string): readonly string[] {
  return ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`];
}
