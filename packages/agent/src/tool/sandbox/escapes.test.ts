import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isOnPath } from "../../../../../test/support/missing-tools.js";
import { sampledStep } from "../../../../../test/support/sampled.js";
import { commandShell } from "../process/command-shell.js";
import { ESCAPES, type Escape, type EscapePlace, type Outcome } from "./escapes.test-support.js";
import { linuxEngine } from "./linux-engine.js";
import { openSandboxWith } from "./open-sandbox.js";
import { closedPlace, whyNot } from "./sandbox-place.test-support.js";

const why = process.platform === "linux" ? await whyNot() : " (for Linux)";
const isRoot = process.getuid?.() === 0;
const ALWAYS = ["git", "curl", "socat"];
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

const seen = { hosts: [] as string[], datagrams: 0 };
const servers: { close: () => unknown }[] = [];
let ports = { http: 0, udp: 0 };

const onSocket = async (path: string): Promise<Server> => {
  const server = createServer((socket) => socket.on("error", () => undefined).end("escaped\n"));
  server.listen(path);
  await once(server, "listening");
  servers.push(server);
  return server;
};

beforeAll(async () => {
  const http = createHttpServer((request, response) => {
    seen.hosts.push((request.headers.host ?? "").replace(/:\d+$/, ""));
    const { port } = http.address() as AddressInfo;
    if (request.url === "/to-localhost") response.writeHead(302, { location: `http://localhost:${port}/` }).end();
    else response.end(request.url === "/quiet" ? "quiet\n" : "escaped\n");
  });
  http.listen(0);
  await once(http, "listening");
  const udp = createSocket("udp4").on("message", () => {
    seen.datagrams += 1;
  });
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  servers.push(http, udp);
  ports = { http: (http.address() as AddressInfo).port, udp: udp.address().port };
});
afterAll(() => {
  for (const server of servers.splice(0)) server.close();
});
const usual = { home: process.env.HOME, temporary: process.env.TMPDIR };
const restored = (name: string, value: string | undefined) => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
beforeAll(() => {
  process.env.TMPDIR = "/tmp";
  // Every sandbox covers every socket, also those of runs that were killed.
  for (const item of readdirSync("/tmp", { withFileTypes: true })) {
    const path = join("/tmp", item.name);
    if (!item.isSocket() || !item.name.startsWith("bough-test-")) continue;
    const { uid, mtimeMs } = lstatSync(path, { throwIfNoEntry: false }) ?? { uid: -1, mtimeMs: 0 };
    if (uid === process.getuid?.() && mtimeMs < Date.now() - HOUR_MS) rmSync(path, { force: true });
  }
});
afterAll(() => {
  restored("TMPDIR", usual.temporary);
  restored("HOME", usual.home);
});

const HOUR_MS = 3_600_000;
const users: ChildProcess[] = [];
const queues: string[] = [];
const leftovers: string[] = [];
afterAll(() => {
  for (const user of users) user.kill("SIGKILL");
  for (const id of queues) spawnSync("ipcrm", ["-q", id]);
  for (const path of leftovers) rmSync(path, { recursive: true, force: true });
});

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** What is not the project: nothing of it changes unless something gets out. */
interface Machine {
  readonly base: string;
  readonly mark: string;
  readonly user: ChildProcess;
  readonly renamedSocket: string;
}

/** Its sockets come and go only where they are needed: sandboxes of other tests would have to hide them. */
async function newMachine(base: string, { sockets }: { readonly sockets: boolean }): Promise<Machine> {
  const mark = randomBytes(6).toString("hex");
  write(join(base, "outside/kept.txt"), "kept\n");
  write(join(base, "outside/folder/kept.txt"), "kept\n");
  write(join(base, "home/.ssh/id"), "escaped\n");
  write(join(base, "home/.netrc"), "escaped\n");
  write(join(base, "bough/auth.json"), "escaped\n");
  const user = spawn("sleep", ["600"], {
    argv0: `host-${mark}`,
    env: { PATH: process.env.PATH, ESCAPE_SECRET: "escaped" },
    stdio: "ignore",
  });
  users.push(user);
  await once(user, "spawn");
  const renamedSocket = `/tmp/bough-test-${mark}`;
  if (sockets) {
    await onSocket(join(base, OUTSIDE_SOCKET));
    await onSocket(`${renamedSocket}.new`);
    renameSync(`${renamedSocket}.new`, renamedSocket);
    leftovers.push(renamedSocket);
    const listens = ["-t", "20", `ABSTRACT-LISTEN:bough-${mark},fork`, "SYSTEM:read -r x; echo escaped"];
    users.push(spawn("socat", listens, { stdio: "ignore" }));
    while (!readFileSync("/proc/net/unix", "utf8").includes(`@bough-${mark}`)) await pause(5);
  }
  if (isOnPath("ipcmk")) queues.push(/\d+/.exec(execFileSync("ipcmk", ["-Q"], { encoding: "utf8" }))?.[0] ?? "");
  return { base, mark, user, renamedSocket };
}

/** A letter beyond ASCII, as in names of people and folders. */
const OUTSIDE_SOCKET = "outside/sü";

let shared: Promise<Machine> | undefined;

/** One for all attempts of which nothing gets out. */
function sharedMachine(): Promise<Machine> {
  shared ??= newMachine(lastingFolder(), { sockets: true });
  return shared;
}

function lastingFolder(): string {
  const folder = realpathSync(mkdtempSync(join(closedPlace ?? "/tmp", ".bough-sandbox-test-")));
  leftovers.push(folder);
  return folder;
}

let template: string | undefined;

/** A copy of it is a project. */
function projectTemplate(): string {
  if (template !== undefined) return template;
  template = lastingFolder();
  const [cwd, sub] = [join(template, "project"), join(template, "sub")];
  write(join(cwd, "a.txt"), "a\n");
  write(join(cwd, "secret.env"), "escaped\n");
  write(join(cwd, "deep/secret.env"), "escaped\n");
  write(join(cwd, ".vscode/tasks.json"), "{}\n");
  write(join(cwd, "packages/a/.husky/pre-commit"), "true\n");
  execFileSync("git", ["init", "-q", cwd]);
  execFileSync("git", ["init", "-q", sub]);
  cpSync(join(sub, ".git"), join(cwd, ".git/modules/sub"), { recursive: true });
  return template;
}

interface Place extends EscapePlace {
  /** The project, and what listens in it. */
  readonly remove: () => void;
}

/** A project of its own on this machine. */
async function newPlace(
  { base, mark: machine, user, renamedSocket }: Machine,
  { sockets: usesSockets }: { readonly sockets: boolean },
): Promise<Place> {
  const mark = randomBytes(6).toString("hex");
  const [outside, home, bough] = ["outside", "home", "bough"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  const cwd = join(base, `project-${mark}`);
  cpSync(join(projectTemplate(), "project"), cwd, { recursive: true });
  const projectSocket = join(cwd, "s0");
  const server = usesSockets ? await onSocket(projectSocket) : undefined;
  const sockets = { socket: join(base, OUTSIDE_SOCKET), projectSocket, renamedSocket, abstract: `bough-${machine}` };
  const local = { port: ports.http, udp: ports.udp, address: address ?? "127.0.0.1" };
  const remove = () => {
    server?.close();
    rmSync(cwd, { recursive: true, force: true });
  };
  return { cwd, outside, home, bough, machine, mark, ...sockets, pid: user.pid ?? 0, ...local, remove };
}

/** The same place by names that a shell takes without quotes: the checkout may be in a folder with a space in its name. */
function withPlainNames(place: EscapePlace): EscapePlace {
  const base = dirname(place.cwd);
  if (/^[\w./-]+$/.test(base)) return place;
  const link = `/tmp/bough-test-${place.mark}.link`;
  rmSync(link, { force: true });
  symlinkSync(base, link);
  leftovers.push(link);
  const renamed = Object.entries(place).map(([name, value]) => [
    name,
    typeof value === "string" && value.startsWith(base) ? `${link}${value.slice(base.length)}` : value,
  ]);
  return Object.fromEntries(renamed) as EscapePlace;
}

const isMarked = (mark: string) =>
  readdirSync("/proc").some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(`left-${mark}`);
    } catch {
      return false;
    }
  });

interface Attempt {
  readonly way: Escape;
  readonly kind: "inside" | "weakened" | "outside";
}

/** Whether it got out. */
async function attempt({ way, kind }: Attempt): Promise<boolean> {
  const needs = { sockets: ESCAPES.sockets?.includes(way) === true };
  const machine = await (kind === "inside" ? sharedMachine() : newMachine(lastingFolder(), needs));
  const place = await newPlace(machine, needs);
  const { user } = machine;
  const before = { hosts: seen.hosts.length, datagrams: seen.datagrams };
  const left = kind === "weakened" ? (way.without?.(place) ?? []) : [];
  if (kind === "weakened") process.env.HOME = place.home;
  const sandbox =
    kind === "outside"
      ? undefined
      : openSandboxWith(
          {
            cwd: place.cwd,
            home: place.bough,
            allowHost: async ({ host }) => way.allowed?.includes(host) === true,
            paths: () => ({ write: [], denyWrite: [], denyRead: [`${place.cwd}/**/secret.env`] }),
          },
          { find: (cwd) => linuxEngine(cwd, (words) => without(words, left)) },
        );
  if (sandbox !== undefined) expect(await sandbox.ready()).toEqual({ kind: "on" });
  const line = `exec 2>&1; ${way.line(withPlainNames(place))}`;
  const inside = await sandbox?.wrap(line, { callId: "call", signal: new AbortController().signal });
  const passed =
    way.passes === undefined ? [] : Array.from({ length: 7 }, () => openSync(way.passes?.(place) ?? "/", "r"));
  const child = spawn(commandShell().program, ["-c", inside?.line ?? line], {
    cwd: place.cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...passed],
  });
  for (const fd of passed) closeSync(fd);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => (output += data.toString()));
  // What was left may keep the output open.
  await once(child, kind === "outside" ? "exit" : "close");
  await inside?.finish(output);
  // A socket of another test disappeared while it was set up: nothing was tried.
  if (inside?.hasRun() === false && kind === "inside") {
    await sandbox?.close();
    place.remove();
    return attempt({ way, kind });
  }
  const outcome = (): Outcome => ({
    ...{ output, isMarked: isMarked(place.mark) },
    ...{ hosts: seen.hosts.slice(before.hosts), datagrams: seen.datagrams - before.datagrams },
    isAlive: user.exitCode === null && user.signalCode === null,
  });
  // Inside, everything is over with the command; only what was sent is on its way. Outside, it may take its time.
  for (let round = 0; round < (kind === "inside" ? 3 : 300) && !way.escaped(place, outcome()); round++) await pause(10);
  const result = way.escaped(place, outcome());
  await sandbox?.close();
  place.remove();
  if (kind !== "inside" && !result) console.error(output);
  return result;
}

function without(words: readonly string[], left: readonly (readonly string[])[]): readonly string[] {
  let rest = [...words];
  for (const run of left) {
    const at = rest.findIndex((_, index) => run.every((word, offset) => rest[index + offset] === word));
    expect(at, `bubblewrap's arguments contain ${run.join(" ")}`).toBeGreaterThanOrEqual(0);
    rest = [...rest.slice(0, at), ...rest.slice(at + run.length)];
  }
  return rest;
}

test("there are at least 60 ways to try", () => {
  expect(Object.values(ESCAPES).flat().length).toBeGreaterThanOrEqual(60);
});

const numbered = Object.entries(ESCAPES).flatMap(([group, ways]) =>
  ways.map((way, at) => ({ way, at, name: `${group}: ${way.name}` })),
);

function whyNotHere({ needs = [], root, only }: Escape): string {
  const missing = [...ALWAYS, ...needs].filter((name) => !isOnPath(name));
  if (missing.length > 0) return `needs ${missing.join(", ")}`;
  if (only?.() === false) return "does not work on this system";
  return root === true && !isRoot ? "works outside only for root" : why;
}

/** They wait for processes most of the time, and leave each other alone. */
describe.concurrent("in the sandbox", () => {
  beforeAll(async () => {
    process.env.HOME = join((await sharedMachine()).base, "home");
  });
  test.for(numbered)("nothing gets out: $name", { timeout: 60_000 }, async ({ way }, { skip, expect: expects }) => {
    skip(whyNotHere(way) !== "", whyNotHere(way));
    expects(await attempt({ way, kind: "inside" })).toBe(false);
  });
});

describe("outside, or without the protection", () => {
  const some = numbered.filter(({ at }) => at % sampledStep(5) === 0);
  test.for(some)("it gets out: $name", { timeout: 60_000 }, async ({ way }, { skip }) => {
    skip(whyNotHere(way) !== "", whyNotHere(way));
    expect(await attempt({ way, kind: way.without === undefined ? "outside" : "weakened" })).toBe(true);
  });
});
