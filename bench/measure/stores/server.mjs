/**
 * A PostgreSQL server of Debian's packages for one run: in a temporary folder, on loopback, as another user where this
 * one is root. Durability is on, as people have it.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

const INSTALLED = "/usr/lib/postgresql";
const SETTINGS = [
  "-c listen_addresses=127.0.0.1 -c unix_socket_directories=",
  "-c shared_buffers=1GB -c maintenance_work_mem=1GB -c max_wal_size=8GB -c work_mem=32MB -c jit=off",
  // Rows added in the same transaction that truncated the table can skip the write-ahead log.
  "-c wal_level=minimal -c max_wal_senders=0",
];

/**
 * The server and its folder are gone afterwards, also after Ctrl+C and when the time is up.
 *
 * @param {(url: (database: string) => string, log: string) => Promise<any>} work  `log` is a file with every statement, if that is wanted
 * @param {{ statements?: boolean, keep?: string }} [options]  `keep` names a folder that stays, and is used again
 * @returns {Promise<any>}
 */
export async function withServer(work, { statements = false, keep } = {}) {
  const [version] = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort().reverse() : [];
  if (version === undefined) throw new Error("Error: PostgreSQL is not installed: apt-get install postgresql");
  const bin = join(INSTALLED, version, "bin");
  const folder = keep ?? mkdtempSync(join(tmpdir(), "bough-bench-postgres-"));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  const isRoot = userInfo().uid === 0;
  const id = (/** @type {string} */ flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  if (isRoot) chownSync(folder, id("-u"), id("-g"));
  const run = (/** @type {string} */ program, /** @type {string[]} */ ...args) => {
    const path = join(bin, program);
    const [command, words] = isRoot ? ["runuser", ["-u", "postgres", "--", path, ...args]] : [path, args];
    execFileSync(command, words, { stdio: "ignore", cwd: folder });
  };
  const data = join(folder, "data");
  const end = () => {
    try {
      run("pg_ctl", "-D", data, "-m", keep === undefined ? "immediate" : "fast", "-w", "stop");
    } catch {
      // It did not start.
    }
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const stopped = () => {
    end();
    process.exit(130);
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.once(signal, stopped);
  try {
    if (!existsSync(join(data, "PG_VERSION")))
      run("initdb", "-D", data, "-U", "bough", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C");
    const port = await freePort();
    const log = join(folder, "log");
    const settings = [`-p ${port}`, ...SETTINGS, ...(statements ? ["-c log_statement=all"] : [])];
    run("pg_ctl", "-D", data, "-w", "-t", "600", "-l", log, "-o", settings.join(" "), "start");
    return await work((database) => `postgres://bough@127.0.0.1:${port}/${database}`, log);
  } finally {
    end();
    for (const signal of signals) process.off(signal, stopped);
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("Error: no port")),
      );
    });
  });
}
