/** A real PostgreSQL server of Debian's packages, in a temporary folder, on loopback. */

import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach } from "vitest";

const INSTALLED = "/usr/lib/postgresql";
/** Seconds: a busy machine may need longer than the usual minute. */
const PATIENCE = ["-t", "600"];

const VERSIONS = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort().reverse() : [];
const MISSING = VERSIONS.length > 0 ? undefined : "PostgreSQL is not installed: apt-get install postgresql";

/** In a file or a group of tests. Without PostgreSQL they are skipped, and each says what to install. */
export function skipWithoutPostgres(): void {
  beforeEach(({ skip }) => {
    if (MISSING !== undefined) skip(MISSING);
  });
}

/** The same, with something to do before all of them. */
export function beforeAllWithPostgres(work: () => Promise<void>): void {
  skipWithoutPostgres();
  beforeAll(async () => {
    if (MISSING === undefined) await work();
  });
}

export class PostgresServer {
  readonly #bin: string;
  readonly #folder: string;
  readonly port: number;

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin;
    this.#folder = folder;
    this.port = port;
  }

  static async start(): Promise<PostgresServer> {
    const [version] = VERSIONS;
    if (version === undefined) throw new Error(MISSING);
    const folder = mkdtempSync(join(tmpdir(), "bough-postgres-"));
    const server = new PostgresServer(join(INSTALLED, version, "bin"), folder, await freePort());
    if (isRoot()) chownSync(folder, ...server.#owner());
    server.#run("initdb", ["-D", server.#data, "-U", "bough", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
    server.resume();
    return server;
  }

  /** Starts it again with TLS, for the names the certificate has. */
  useTls({ key, cert }: { readonly key: string; readonly cert: string }): void {
    this.halt();
    for (const [name, text] of [["server.key", key] as const, ["server.crt", cert] as const]) {
      const file = join(this.#data, name);
      writeFileSync(file, text, { mode: 0o600 });
      if (isRoot()) chownSync(file, ...this.#owner());
    }
    appendFileSync(join(this.#data, "postgresql.conf"), "ssl = on\n");
    this.resume();
  }

  /** For `psql` and other programs, which come first in the path: as its administrator. */
  get environment(): Readonly<Record<string, string>> {
    const path = `${this.#bin}:${process.env.PATH ?? ""}`;
    return { PGHOST: "127.0.0.1", PGPORT: String(this.port), PGUSER: "bough", PGDATABASE: "postgres", PATH: path };
  }

  /** Where this process is root, the files of the server belong to another user. */
  get isOwnedByPostgres(): boolean {
    return isRoot();
  }

  url(database = "postgres"): string {
    return `postgres://bough@127.0.0.1:${this.port}/${database}`;
  }

  /** A new, empty database. */
  create(name: string): string {
    this.sql(`create database ${name}`);
    return this.url(name);
  }

  sql(statement: string, database = "postgres"): string {
    const args = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "bough", "-d", database, "-Atc", statement];
    return execFileSync(join(this.#bin, "psql"), args, { encoding: "utf8" }).trim();
  }

  resume(): void {
    const options = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=60`;
    this.#run("pg_ctl", ["-D", this.#data, "-w", ...PATIENCE, "-l", join(this.#folder, "log"), "-o", options, "start"]);
  }

  /** Stops it at once, as a crash would: connections break, and it recovers when it is resumed. */
  halt(): void {
    this.#run("pg_ctl", ["-D", this.#data, "-w", ...PATIENCE, "-m", "immediate", "stop"]);
  }

  /** `kill -9` of the server and all its processes: nothing is told to anyone, and it recovers when it is resumed. */
  kill(): void {
    const server = Number(readFileSync(join(this.#data, "postmaster.pid"), "utf8").split("\n")[0]);
    // Stopped first, so that it starts no process that would be missed.
    process.kill(server, "SIGSTOP");
    while (stateOf(server) !== "T") pause();
    const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").split(" ").filter(Boolean);
    const all = [server, ...children.map(Number)];
    for (const pid of all) killNow(pid);
    // It refuses to start while one of them holds its shared memory.
    while (all.some(isRunning)) pause();
    // It would also refuse as long as nobody has collected its dead process, which may be never in a container.
    rmSync(join(this.#data, "postmaster.pid"));
  }

  stop(): void {
    spawnSync(...this.#command("pg_ctl", ["-D", this.#data, "-m", "immediate", "-w", "stop"]), { stdio: "ignore" });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  #run(program: string, args: readonly string[]): void {
    const [command, words] = this.#command(program, args);
    execFileSync(command, words, { stdio: ["ignore", "ignore", "inherit"], cwd: this.#folder });
  }

  /** The server refuses to run as root. */
  #command(program: string, args: readonly string[]): [string, string[]] {
    const path = join(this.#bin, program);
    return isRoot() ? ["runuser", ["-u", "postgres", "--", path, ...args]] : [path, [...args]];
  }

  #owner(): [number, number] {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    return [id("-u"), id("-g")];
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** One that is dead but not yet collected by its parent holds nothing. */
function isRunning(pid: number): boolean {
  return !["Z", "X", undefined].includes(stateOf(pid));
}

/** The letter of the system, `T` for a stopped process, or undefined for none. */
function stateOf(pid: number): string | undefined {
  try {
    return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

function isRoot(): boolean {
  return userInfo().uid === 0;
}

/** Below the ports that the system gives out by itself, so that nobody gets it before the server listens. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const port = randomInt(20_000, 32_000);
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(freePort()) : reject(error),
    );
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });
}
