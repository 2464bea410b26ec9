/** A file for somebody else: private to its owner, complete and in place, or not there at all. */
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../log/index.js";
import { exportFailed, exportFailure, TAKEN } from "./export-failure.js";

export interface ExportTarget {
  readonly file: string;
  /** What to do with a file that is there already. Folders, devices and pipes are never replaced. */
  readonly existing: "refuse" | "replace";
}

export type Piece = string | Uint8Array;

/** Characters or bytes that are gathered before they are written. */
const BATCH = 1 << 20;

/** Answers the number of bytes. Throws `export-failed`, and whatever the pieces throw; nothing is left behind then. */
export function writeExportFile(target: ExportTarget, pieces: Iterable<Piece>): number {
  const file = new ExportFile(target);
  try {
    for (const piece of pieces) file.write(piece);
    return file.moveIntoPlace();
  } finally {
    file.close();
  }
}

/** The same for pieces that come by and by, so that keys and signals are heard meanwhile. */
export async function streamExportFile(target: ExportTarget, pieces: AsyncIterable<Piece>): Promise<number> {
  const file = new ExportFile(target);
  try {
    for await (const piece of pieces) file.write(piece);
    return file.moveIntoPlace();
  } finally {
    file.close();
  }
}

class ExportFile {
  readonly #target: ExportTarget;
  readonly #temporary: string;
  readonly #descriptor: number;
  #batch: Piece[] = [];
  #size = 0;
  #written = 0;

  constructor(target: ExportTarget) {
    const { file } = target;
    this.#target = target;
    refuseWhatIsThere(target);
    // Names have at most 255 bytes, and a character up to four of them.
    this.#temporary = join(dirname(file), `${basename(file).slice(0, 40)}.${randomUUID().slice(0, 8)}.new`);
    try {
      makeFolder(dirname(file));
    } catch (cause) {
      throw exportFailure(file, { step: "make-folder", cause });
    }
    try {
      this.#descriptor = openSync(this.#temporary, "wx", 0o600);
    } catch (cause) {
      throw exportFailure(file, { step: "write", cause });
    }
  }

  write(piece: Piece): void {
    this.#batch.push(piece);
    this.#size += piece.length;
    if (this.#size >= BATCH) this.#flush();
  }

  /** Everything is on the medium and has its name when this returns. */
  moveIntoPlace(): number {
    const { file } = this.#target;
    this.#flush();
    try {
      fsyncSync(this.#descriptor);
      // Somebody may have made one while this one was written.
      refuseWhatIsThere(this.#target);
      if (this.#target.existing === "replace") renameSync(this.#temporary, file);
      else linkOrRename(this.#temporary, file);
    } catch (cause) {
      throw exportFailure(file, { step: "write", cause });
    }
    return this.#written;
  }

  /** Lets go of the file, and of its bytes where they have no name of their own. */
  close(): void {
    closeSync(this.#descriptor);
    rmSync(this.#temporary, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#batch.map((piece) => Buffer.from(piece)));
    this.#batch = [];
    this.#size = 0;
    this.#written += bytes.length;
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.#descriptor, bytes, sent);
    } catch (cause) {
      throw exportFailure(this.#target.file, { step: "write", cause });
    }
  }
}

function refuseWhatIsThere({ file, existing }: ExportTarget): void {
  // What a link leads to counts: the place where standard output is written must not become a file.
  if (!existsSync(file)) return;
  const there = statSync(file);
  if (there.isDirectory()) throw exportFailed(file, "there is a folder with this name");
  if (existing === "refuse") throw exportFailed(file, TAKEN);
  if (!there.isFile()) throw exportFailed(file, "it is a device, a pipe or a socket");
}

/** Unlike a rename, a second name is refused where somebody made the file in the meantime. */
function linkOrRename(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // A file system without second names: the look before has to do.
    renameSync(temporary, file);
  }
}
