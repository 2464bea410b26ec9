/** The sandbox on Linux: bubblewrap, with a network that holds nothing but a bridge to our proxy. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive, namesIn, processIdentity, temporaryFolder } from "@bough/session/log/index.js";
import { attempt, shellWord } from "@bough/session/text/index.js";
import { commandShell } from "../process/command-shell.js";
import { bubblewrapArguments, environmentInside, type Inside, insideWords } from "./bubblewrap.js";
import { forbiddenCalls } from "./forbidden-calls.js";
import { hostProxy } from "./host-proxy.js";
import { SOCKET_FOLDER } from "./host-sockets.js";
import { privateFile } from "./private-file.js";
import type { Allow, Engine, PreparedSandbox, PrepareOptions, StartCommand, StartedCommand } from "./sandbox-engine.js";
import { type Found, type LinuxPrograms, linuxPrograms, namespaceProblem } from "./sandbox-programs.js";
import { watchSandboxFolders } from "./watch-sandbox-folders.js";

/** Descriptors of the shell that becomes bubblewrap. */
const FD = { go: 3, arguments: 4, status: 5, command: 6, errors: 7, filter: 8 } as const;
/** Processes inside are killed with the first of them; this is how long the kernel may take. */
const END_LIMIT_MS = 5000;
const POLL_MS = 1;

type Words = readonly string[];
type Programs = LinuxPrograms & { readonly adjust: (words: Words) => Words };

/** `adjust` is for tests: bubblewrap's arguments without a protection. */
export async function linuxEngine(
  cwd: string,
  adjust: (words: Words) => Words = (words) => words,
): Promise<Found<Engine>> {
  const found = await linuxPrograms({ cwd });
  if (found.kind === "problem") return found;
  const programs = { ...found.programs, adjust };
  return {
    kind: "found",
    programs: {
      start: (command) => startInBubblewrap(command, programs),
      prepare: (options, signal) => prepareBubblewrap(options, { ...programs, signal }),
      explain: (said) => namespaceProblem(said),
    },
  };
}

async function startInBubblewrap({ command, ...options }: StartCommand, programs: Programs): Promise<StartedCommand> {
  let hasRun = false;
  const onHello = () => {
    hasRun = true;
  };
  const { line, ended, said, close } = await setUp(
    { ...options, inside: { kind: "command", command }, onHello },
    programs,
  );
  return { line, ended, hasRun: () => hasRun, problem: () => (hasRun ? "" : said()), close };
}

/** The process waits inside for a byte, which comes after the command is written to a file that it has open. */
async function prepareBubblewrap(
  { plan, temporary }: PrepareOptions,
  { signal, ...programs }: Programs & { readonly signal: AbortSignal },
): Promise<PreparedSandbox | undefined> {
  let onHello: () => void = () => undefined;
  const hello = new Promise<"hello">((resolve) => {
    onHello = () => resolve("hello");
  });
  let allow: Allow = async () => false;
  const command = privateFile(tmpdir(), "");
  const { line, ended, close } = await setUp(
    {
      plan,
      temporary,
      allow: (asked) => allow(asked),
      onHello,
      inside: { kind: "waiting", go: FD.go, command: FD.command },
      files: { [FD.command]: command },
    },
    programs,
  );
  const child = spawn(commandShell().program, ["-c", line], {
    cwd: plan.cwd,
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const streams = child.stdio.slice(1) as Socket[];
  const [, , go] = streams;
  go?.on("error", () => undefined);
  const end = once(child, "exit").then(
    () => undefined,
    () => undefined,
  );
  const stop = async (): Promise<void> => {
    const { pid } = child;
    child.ref();
    if (pid !== undefined) attempt(() => process.kill(-pid, "SIGKILL"));
    await end;
    await ended();
    close();
  };
  const aborted = signal.aborted ? undefined : once(signal, "abort");
  if ((await Promise.race([hello, end, aborted])) !== "hello") {
    await stop();
    return undefined;
  }
  // A program that is otherwise done does not wait for it.
  for (const one of [child, ...streams]) one.unref();
  return {
    isWaiting: () => child.exitCode === null && child.signalCode === null,
    stop,
    give: (given) => {
      allow = given.allow;
      let isStarted = false;
      const start = () => {
        isStarted = true;
        const words = environmentInside(given.env, { cwd: plan.cwd, temporary });
        writeSync(command, commandFile(given.command, words), 0);
        for (const one of [child, ...streams.slice(0, 2)]) one.ref();
        go?.end("\n");
        return child;
      };
      const over = () => (isStarted ? ended() : stop());
      return { line: "exit 125", start, ended: over, hasRun: () => isStarted, problem: () => "", close };
    },
  };
}

interface SetUp extends PrepareOptions {
  readonly allow: Allow;
  readonly onHello: () => void;
  readonly inside: Inside;
  /** Other files of this process, by the descriptor they get. */
  readonly files?: Readonly<Record<number, number>>;
}

interface IsSetUp {
  readonly line: string;
  readonly ended: () => Promise<void>;
  /** What bubblewrap itself said. */
  readonly said: () => string;
  readonly close: () => void;
}

/** Everything but the process. */
async function setUp(
  { plan, temporary, allow, onHello, inside, files = {} }: SetUp,
  { bwrap, socat, adjust }: Programs,
): Promise<IsSetUp> {
  watchSandboxFolders();
  const folder = temporaryFolder(SOCKET_FOLDER);
  const secret = randomBytes(16).toString("hex");
  let isInside = false;
  const greeted = () => {
    isInside = true;
    // The name of the socket is needed until the sandbox has it.
    folder.remove();
    onHello();
  };
  const proxy = hostProxy({ allow, guest: { secret, onHello: greeted } });
  const open = Object.values(files);
  const close = () => {
    proxy.close();
    folder.remove();
    for (const fd of open.splice(0)) closeSync(fd);
  };
  const file = (contents: string | Uint8Array): number => {
    const fd = privateFile(tmpdir(), contents);
    open.push(fd);
    return fd;
  };
  try {
    await listenIn(folder.path, proxy.listen);
    const socket = join(folder.path, "s");
    const filter = forbiddenCalls();
    const filterFd = filter === undefined ? undefined : FD.filter;
    const words = adjust(bubblewrapArguments({ plan, socket, temporary, statusFd: FD.status, filterFd }));
    const [args, status, errors] = [file(words.join("\0")), file(""), file("")];
    const { program: shell, isBash } = commandShell();
    const within = insideWords({ shell, isBash, socat, inside, secret, errorsFd: FD.errors });
    const own = (fd: number) => `/proc/${process.pid}/fd/${fd}`;
    const redirections = [
      ...[`${FD.arguments}<${own(args)}`, `${FD.status}>${own(status)}`],
      ...(filter === undefined ? [] : [`${FD.filter}<${own(file(filter))}`]),
      ...Object.entries(files).map(([fd, from]) => `${fd}<${own(from)}`),
      // What goes wrong before the command runs is not part of its output.
      ...[`${FD.errors}>&2`, `2>${own(errors)}`],
    ];
    const kept = inside.kind === "waiting" ? FD.go : 2;
    const run = [bwrap, "--args", String(FD.arguments), "--", ...within].map(shellWord).join(" ");
    const text = (fd: number) => attempt(() => readFileSync(own(fd), "utf8")) ?? "";
    let last: string | undefined;
    return {
      line: `${closingOthers({ isBash, kept })} exec ${run} ${redirections.join(" ")}`,
      ended: () => allEnded({ status: text(status), secret, isInside }),
      said: () => last ?? text(errors).trim(),
      close: () => {
        last ??= text(errors).trim();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** A script that closes what the command does not need, and becomes the command. */
function commandFile(command: string, environment: Words): string {
  const words = ["/usr/bin/env", "-i", "--", ...environment, commandShell().program, "-c", command];
  return `exec ${FD.go}<&- ${FD.command}<&-\nexec ${words.map(shellWord).join(" ")}\n`;
}

/** The path of a socket can have 107 bytes, and that of a temporary folder may be longer. */
const MOST_SOCKET_BYTES = 107;

async function listenIn(folder: string, listen: (path: string) => Promise<void>): Promise<void> {
  const path = join(folder, "s");
  if (Buffer.byteLength(path) <= MOST_SOCKET_BYTES) return listen(path);
  const fd = openSync(folder, "r");
  try {
    await listen(`/proc/self/fd/${fd}/s`);
  } finally {
    closeSync(fd);
  }
}

/** What Bough inherited from the program that started it may be a folder that is open for writing. */
function closingOthers({ isBash, kept }: { readonly isBash: boolean; readonly kept: number }): string {
  const close = 'eval "exec $f>&-"';
  if (isBash) return `for f in /proc/self/fd/*; do f=\${f##*/}; [ "$f" -gt ${kept} ] && ${close}; done; unset f;`;
  const others = [3, 4, 5, 6, 7, 8, 9].filter((fd) => fd > kept);
  return `for f in ${others.join(" ")}; do ${close}; done; unset f;`;
}

interface Ending {
  /** What bubblewrap reported. */
  readonly status: string;
  readonly secret: string;
  readonly isInside: boolean;
}

/** If it was stopped while it was set up, the first process inside may not end with bubblewrap: it knows the secret. */
async function allEnded({ status, secret, isInside }: Ending): Promise<void> {
  const reported = Number(/"child-pid": (\d+)/.exec(status)?.[1] ?? 0);
  const isOurs = (pid: number) =>
    attempt(() => readFileSync(`/proc/${pid}/cmdline`, "latin1"))?.includes(secret) === true;
  const all = () => namesIn("/proc").filter((name) => /^\d+$/.test(name));
  const pids = reported !== 0 ? [reported] : isInside ? [] : all().map(Number).filter(isOurs);
  for (const pid of pids) {
    const first = processIdentity(pid);
    if (isOurs(pid)) attempt(() => process.kill(pid, "SIGKILL"));
    for (let waited = 0; isAlive(first) && waited < END_LIMIT_MS; waited += POLL_MS) await pause(POLL_MS);
  }
}
