/** The sandbox on Linux: bubblewrap, with a network that holds nothing but a bridge to our proxy. */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive, processIdentity, temporaryFolder } from "@bough/session/log/index.js";
import { attempt, shellWord } from "@bough/session/text/index.js";
import { commandShell } from "../process/command-shell.js";
import { bubblewrapArguments, insideWords } from "./bubblewrap.js";
import { hostProxy } from "./host-proxy.js";
import { SOCKET_FOLDER } from "./host-sockets.js";
import { privateFile } from "./private-file.js";
import type { Engine, StartCommand, StartedCommand } from "./sandbox-engine.js";
import { type Found, type LinuxPrograms, linuxPrograms, namespaceProblem } from "./sandbox-programs.js";
import { watchSandboxFolders } from "./watch-sandbox-folders.js";

const ARGUMENTS_FD = 3;
const STATUS_FD = 4;
/** Processes inside are killed with the first of them; this is how long the kernel may take. */
const END_LIMIT_MS = 5000;
const POLL_MS = 1;

type Words = readonly string[];

/** `adjust` is for tests: bubblewrap's arguments without a protection. */
export async function linuxEngine(
  cwd: string,
  adjust: (words: Words) => Words = (words) => words,
): Promise<Found<Engine>> {
  const found = await linuxPrograms({ cwd });
  if (found.kind === "problem") return found;
  const { programs } = found;
  return {
    kind: "found",
    programs: {
      start: (command) => startInBubblewrap(command, { ...programs, adjust }),
      explain: (said) => namespaceProblem(said),
    },
  };
}

async function startInBubblewrap(
  { plan, command, temporary, allow }: StartCommand,
  { bwrap, socat, adjust }: LinuxPrograms & { readonly adjust: (words: Words) => Words },
): Promise<StartedCommand> {
  watchSandboxFolders();
  const folder = temporaryFolder(SOCKET_FOLDER);
  const secret = randomBytes(16).toString("hex");
  let hasRun = false;
  const onHello = () => {
    hasRun = true;
    // The name of the socket is needed until the sandbox has it.
    folder.remove();
  };
  const proxy = hostProxy({ allow, guest: { secret, onHello } });
  const files: number[] = [];
  const close = () => {
    proxy.close();
    folder.remove();
    for (const fd of files.splice(0)) closeSync(fd);
  };
  try {
    await listenIn(folder.path, proxy.listen);
    const socket = join(folder.path, "s");
    const words = adjust(bubblewrapArguments({ plan, socket, temporary, statusFd: STATUS_FD }));
    const args = privateFile(tmpdir(), words.join("\0"));
    files.push(args);
    const status = privateFile(tmpdir(), "");
    files.push(status);
    const { program: shell, isBash } = commandShell();
    const inside = insideWords({ shell, isBash, socat, command, secret }).map(shellWord).join(" ");
    const own = (fd: number) => `/proc/${process.pid}/fd/${fd}`;
    const line = `${closingOthers(isBash)} exec ${shellWord(bwrap)} --args ${ARGUMENTS_FD} -- ${inside} ${ARGUMENTS_FD}<${own(args)} ${STATUS_FD}>${own(status)}`;
    const ended = () => allEnded(attempt(() => readFileSync(own(status), "utf8")) ?? "", secret);
    return { line, ended, hasRun: () => hasRun, close };
  } catch (error) {
    close();
    throw error;
  }
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
function closingOthers(isBash: boolean): string {
  const close = 'eval "exec $f>&-"';
  if (!isBash) return `for f in 3 4 5 6 7 8 9; do ${close}; done; unset f;`;
  return `for f in /proc/self/fd/*; do f=\${f##*/}; [ "$f" -gt 2 ] && ${close}; done; unset f;`;
}

/** If it was stopped while it was set up, the first process inside may not end with bubblewrap: it knows the secret. */
async function allEnded(status: string, secret: string): Promise<void> {
  const pid = Number(/"child-pid": (\d+)/.exec(status)?.[1] ?? 0);
  if (pid === 0) return;
  const first = processIdentity(pid);
  const isOurs = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "latin1"))?.includes(secret) === true;
  if (isOurs) attempt(() => process.kill(pid, "SIGKILL"));
  for (let waited = 0; isAlive(first) && waited < END_LIMIT_MS; waited += POLL_MS) await pause(POLL_MS);
}
