/** A file that is complete and in place under its own name, or not there at all; it never takes another's name. */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../entry/index.js";
import { makeFolder } from "../../log/index.js";

const BATCH = 1 << 20;
const NEWLINE = Buffer.from("\n");

export class NewFile {
  /** Where the bytes are until `moveTo`. */
  readonly temporary: string;
  #fd: number;
  #batch: Buffer[] = [];
  #size = 0;

  constructor(beside: string) {
    this.temporary = `${beside}.${randomUUID().slice(0, 8)}.new`;
    makeFolder(dirname(beside));
    try {
      this.#fd = openSync(this.temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    } catch (cause) {
      throw writeFailed(this.temporary, cause);
    }
  }

  writeLine(line: Buffer): void {
    this.#batch.push(line, NEWLINE);
    this.#size += line.length + 1;
    if (this.#size >= BATCH) this.flush();
  }

  /** Hands everything to the system, so that it can be read back. */
  flush(): void {
    const bytes = Buffer.concat(this.#batch);
    this.#batch = [];
    this.#size = 0;
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.#fd, bytes, sent, bytes.length - sent);
    } catch (cause) {
      throw writeFailed(this.temporary, cause);
    }
  }

  /** Syncs the file and gives it the first free name. */
  moveTo(names: Iterable<string>): string {
    this.flush();
    fsyncSync(this.#fd);
    for (const name of names) if (takeName(this.temporary, name)) return name;
    throw new SessionError("write-failed", "The file for the repaired session already exists", {
      hint: "Choose another file name, or move that file.",
    });
  }

  /** Lets go of the file, and of its bytes where they have no name of their own. */
  close(): void {
    closeSync(this.#fd);
    rmSync(this.temporary, { force: true });
  }
}

/** False where the name is taken. */
function takeName(temporary: string, name: string): boolean {
  try {
    linkSync(temporary, name);
    return true;
  } catch (cause) {
    if (existsSync(name)) return false;
    // File systems without hard links: the look just now has to do.
    if (!NO_LINKS.has((cause as { code?: string }).code ?? "")) throw writeFailed(name, cause);
    renameSync(temporary, name);
    return true;
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/** `<name>.repaired.jsonl`, then `<name>.repaired-2.jsonl` and so on. */
export function* repairedNames(path: string): Generator<string> {
  const name = basename(path)
    .replace(/\.jsonl$/, "")
    .replace(/\.repaired(-\d+)?$/, "");
  for (let i = 1; ; i++) yield join(dirname(path), `${name}.repaired${i === 1 ? "" : `-${i}`}.jsonl`);
}

function writeFailed(path: string, cause: unknown): SessionError {
  const code = (cause as { code?: unknown } | null)?.code;
  return new SessionError(
    code === "ENOSPC" || code === "EDQUOT" ? "disk-full" : "write-failed",
    `Could not write ${path}`,
    {
      data: { path, systemCode: code },
      hint: "The original was not touched. Check the folder and its free space.",
      cause,
    },
  );
}
