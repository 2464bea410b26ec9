import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
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
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isOnPath } from "../../../../../test/support/missing-tools.js";
import { sampledStep } from "../../../../../test/support/sampled.js";
import { commandShell } from "../process/command-shell.js";
import { ESCAPES, type Escape, type EscapePlace, type Outcome } from "./escapes.test-support.js";
import { linuxEngine } from "./linux-engine.js";
import { openSandboxWith } from "./open-sandbox.js";
import { closedFolder, whyNot } from "./sandbox-place.test-support.js";

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
beforeEach(() => void vi.stubEnv("TMPDIR", "/tmp"));

const users: ChildProcess[] = [];
const queues: string[] = [];
const leftovers: string[] = [];
afterAll(() => {
  for (const user of users) user.kill("SIGKILL");
  for (const id of queues) spawnSync("ipcrm", ["-q", id]);
  for (const path of leftovers) rmSync(path, { force: true });
});

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

async function newPlace(): Promise<EscapePlace> {
  const base = closedFolder();
  const mark = randomBytes(6).toString("hex");
  const [cwd, outside, home, bough] = ["project", "outside", "home", "bough"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  write(join(cwd, "a.txt"), "a\n");
  write(join(cwd, "secret.env"), "escaped\n");
  write(join(cwd, "deep/secret.env"), "escaped\n");
  write(join(cwd, ".vscode/tasks.json"), "{}\n");
  write(join(cwd, "packages/a/.husky/pre-commit"), "true\n");
  execFileSync("git", ["init", "-q", cwd]);
  execFileSync("git", ["init", "-q", join(base, "sub")]);
  cpSync(join(base, "sub/.git"), join(cwd, ".git/modules/sub"), { recursive: true });
  write(join(outside, "kept.txt"), "kept\n");
  write(join(outside, "folder/kept.txt"), "kept\n");
  write(join(home, ".ssh/id"), "escaped\n");
  write(join(home, ".netrc"), "escaped\n");
  write(join(bough, "auth.json"), "escaped\n");
  const user = spawn("sleep", ["600"], {
    argv0: `host-${mark}`,
    env: { PATH: process.env.PATH, ESCAPE_SECRET: "escaped" },
    stdio: "ignore",
  });
  users.push(user);
  await once(user, "spawn");
  // A letter beyond ASCII, as in names of people and folders.
  const sockets = { socket: join(outside, "sü"), projectSocket: join(cwd, "s0") };
  const renamedSocket = `/tmp/bough-test-${mark}`;
  await onSocket(sockets.socket);
  await onSocket(sockets.projectSocket);
  await onSocket(`${renamedSocket}.new`);
  renameSync(`${renamedSocket}.new`, renamedSocket);
  leftovers.push(renamedSocket);
  const listener = spawn("socat", [`ABSTRACT-LISTEN:bough-${mark},fork`, "EXEC:echo escaped"], { stdio: "ignore" });
  users.unshift(listener);
  while (!readFileSync("/proc/net/unix", "utf8").includes(`@bough-${mark}`)) await pause(5);
  if (isOnPath("ipcmk")) queues.push(/\d+/.exec(execFileSync("ipcmk", ["-Q"], { encoding: "utf8" }))?.[0] ?? "");
  vi.stubEnv("HOME", home);
  const place = { cwd, outside, home, bough, mark, ...sockets, renamedSocket, abstract: `bough-${mark}` };
  return { ...place, pid: user.pid ?? 0, port: ports.http, udp: ports.udp, address: address ?? "127.0.0.1" };
}

/** The same place by names that a shell takes without quotes: the checkout may be in a folder with a space in its name. */
function withPlainNames(place: EscapePlace): EscapePlace {
  const base = dirname(place.cwd);
  if (/^[\w./-]+$/.test(base)) return place;
  const link = `/tmp/bough-test-${place.mark}.link`;
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
  const place = await newPlace();
  seen.hosts.length = 0;
  seen.datagrams = 0;
  const left = kind === "weakened" ? (way.without?.(place) ?? []) : [];
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
          async (cwd) => linuxEngine(cwd, (words) => without(words, left)),
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
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => (output += data.toString()));
  // What was left may keep the output open.
  await once(child, kind === "outside" ? "exit" : "close");
  await inside?.finish(output);
  // A socket of another test disappeared while it was set up: nothing was tried.
  if (inside?.hasRun() === false && kind === "inside") {
    await sandbox?.close();
    return attempt({ way, kind });
  }
  const user = users.at(-1);
  const outcome = (): Outcome => ({
    ...{ output, hosts: seen.hosts, datagrams: seen.datagrams, isMarked: isMarked(place.mark) },
    isAlive: user?.exitCode === null && user.signalCode === null,
  });
  // Inside, everything is over with the command; only what was sent is on its way. Outside, it may take its time.
  for (let round = 0; round < (kind === "inside" ? 3 : 300) && !way.escaped(place, outcome()); round++) await pause(10);
  const result = way.escaped(place, outcome());
  await sandbox?.close();
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

describe.each(Object.entries(ESCAPES))("%s", (_, escapes) => {
  const numbered = escapes.map((way, at) => ({ way, name: way.name, at }));
  test.for(numbered)("nothing gets out that $name", { timeout: 60_000 }, async ({ way, at }, { skip }) => {
    skip(why !== "", why);
    const missing = [...ALWAYS, ...(way.needs ?? [])].filter((name) => !isOnPath(name));
    skip(missing.length > 0, `needs ${missing.join(", ")}`);
    skip(way.root === true && !isRoot, "works outside only for root");
    expect(await attempt({ way, kind: "inside" })).toBe(false);
    // That it would get out otherwise takes as long again.
    if (at % sampledStep(5) !== 0) return;
    expect(await attempt({ way, kind: way.without === undefined ? "outside" : "weakened" })).toBe(true);
  });
});
