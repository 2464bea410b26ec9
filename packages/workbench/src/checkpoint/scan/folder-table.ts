/**
 * What is known about one folder, in few bytes: its names in one string, and 50 bytes per name. What does not fit, such
 * as a link, is kept separately.
 */
import type { KnownFile } from "./known-file.js";

/** Signature and size (for a folder: its inode) as doubles, then the kind, the access byte and the hash. */
const BYTES = 50;
const SIZE_AT = 8;
const KIND_AT = 16;
const ACCESS_AT = 17;
const HASH_AT = 18;

/** How an item was classified. `searched`: an excluded folder that may contain what globs name. */
export type ItemKind = "left file" | "left folder" | "searched folder" | "folder" | "file";
const KINDS: readonly (ItemKind | "executable" | "apart")[] = [
  "left file",
  "left folder",
  "searched folder",
  "folder",
  "file",
  "executable",
  "apart",
];

const FILE = KINDS.indexOf("file");

export class FolderTable {
  /** As the system lists them. A name holds no slash. */
  readonly #names: string;
  readonly #bytes: Buffer;
  #apart: Map<number, KnownFile> | undefined;
  /** Key of the ignore files in it. */
  readonly rules: number;
  /** Key of the folder just before it was listed: while it is unchanged, the names are too. 0: unknown. */
  listed = 0;
  /** Whether a completed scan uses it. */
  isInUse = false;

  constructor(names: readonly string[], rules: number) {
    this.#names = names.join("/");
    this.rules = rules;
    this.#bytes = Buffer.alloc(names.length * BYTES);
  }

  get names(): readonly string[] {
    return this.#names === "" ? [] : this.#names.split("/");
  }

  hasNames(names: readonly string[]): boolean {
    return this.#names === names.join("/");
  }

  kind(at: number): ItemKind {
    const kind = KINDS[this.#bytes[at * BYTES + KIND_AT] ?? 0] ?? "left file";
    return kind === "executable" || kind === "apart" ? "file" : kind;
  }

  /** For anything but a file. `inode` distinguishes a folder from another one of the same name. */
  setKind(at: number, kind: Exclude<ItemKind, "file">, inode: number): void {
    this.#apart?.delete(at);
    this.#bytes[at * BYTES + KIND_AT] = KINDS.indexOf(kind);
    this.#bytes.writeDoubleLE(inode, at * BYTES + SIZE_AT);
  }

  isKind(at: number, kind: ItemKind, inode: number): boolean {
    return this.kind(at) === kind && this.#bytes.readDoubleLE(at * BYTES + SIZE_AT) === inode;
  }

  /** Whether it is a folder with this inode. */
  isFolder(at: number, inode: number): boolean {
    return this.kind(at).endsWith("folder") && this.#bytes.readDoubleLE(at * BYTES + SIZE_AT) === inode;
  }

  /** Signature of a file. 0: it must be read. */
  signature(at: number): number {
    return this.#bytes.readDoubleLE(at * BYTES);
  }

  /** Whether it is a file with this signature. Signatures include the kind, so a folder never matches. */
  isFile(at: number, signature: number): boolean {
    return (this.#bytes[at * BYTES + KIND_AT] ?? 0) >= FILE && this.#bytes.readDoubleLE(at * BYTES) === signature;
  }

  file(at: number): KnownFile {
    const apart = this.#apart?.get(at);
    if (apart !== undefined) return apart;
    const from = at * BYTES;
    const mode = KINDS[this.#bytes[from + KIND_AT] ?? 0] === "executable" ? "755" : "644";
    const hash = this.#bytes.toString("hex", from + HASH_AT, from + BYTES);
    const state = { hash, mode, size: this.#bytes.readDoubleLE(from + SIZE_AT) } as const;
    const access = accessIn(this.#bytes[from + ACCESS_AT] ?? 0);
    return { signature: this.signature(at), state: access === undefined ? state : { ...state, access } };
  }

  setFile(at: number, file: KnownFile): void {
    const from = at * BYTES;
    const { signature, state } = file;
    this.#bytes.writeDoubleLE(signature, from);
    if (state !== null && state !== undefined && "hash" in state) {
      this.#apart?.delete(at);
      this.#bytes[from + KIND_AT] = KINDS.indexOf(state.mode === "755" ? "executable" : "file");
      this.#bytes.writeDoubleLE(state.size, from + SIZE_AT);
      this.#bytes[from + ACCESS_AT] = accessByte(state.access);
      this.#bytes.write(state.hash, from + HASH_AT, "hex");
      return;
    }
    this.#bytes[from + KIND_AT] = KINDS.indexOf("apart");
    this.#apart ??= new Map();
    this.#apart.set(at, file);
  }
}

/** One byte for three octal digits, each of which is even. 0: none. */
function accessByte(access: string | undefined): number {
  if (access === undefined) return 0;
  const [owner = 0, group = 0, others = 0] = [...access].map((digit) => Number(digit) >> 1);
  return 0b1000000 | (owner << 4) | (group << 2) | others;
}

function accessIn(byte: number): string | undefined {
  return byte === 0 ? undefined : [byte >> 4, byte >> 2, byte].map((two) => (two & 3) << 1).join("");
}
