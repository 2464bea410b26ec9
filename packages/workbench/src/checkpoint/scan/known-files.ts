/** A table of files by path that takes little memory: a plain file is packed into one short string. */
import type { FileState } from "@bough/session/entry/index.js";
import type { KnownFile } from "./known-file.js";

export class KnownFiles {
  readonly #files = new Map<string, string | KnownFile>();

  get size(): number {
    return this.#files.size;
  }

  paths(): Iterable<string> {
    return this.#files.keys();
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  get(path: string): KnownFile | undefined {
    const found = this.#files.get(path);
    return typeof found === "string" ? unpacked(found) : found;
  }

  set(path: string, file: KnownFile): void {
    this.#files.set(path, packed(file));
  }

  delete(path: string): void {
    this.#files.delete(path);
  }
}

/** `<signature> <executable><size>[.<access>] <32 characters of hash>`, numbers in base 36. */
function packed(file: KnownFile): string | KnownFile {
  const { signature, state, skipped } = file;
  if (state === null || state === undefined || !("hash" in state) || skipped !== undefined) return file;
  const mode = state.mode === "755" ? "x" : "-";
  const access = state.access === undefined ? "" : `.${state.access}`;
  return `${signature.toString(36)} ${mode}${state.size.toString(36)}${access} ${Buffer.from(state.hash, "hex").toString("latin1")}`;
}

function unpacked(text: string): KnownFile {
  const first = text.indexOf(" ");
  const second = text.indexOf(" ", first + 1);
  const [size = "", access] = text.slice(first + 2, second).split(".");
  const state: FileState = {
    hash: Buffer.from(text.slice(second + 1), "latin1").toString("hex"),
    mode: text[first + 1] === "x" ? "755" : "644",
    size: Number.parseInt(size, 36),
    ...(access === undefined ? {} : { access }),
  };
  return { signature: Number.parseInt(text.slice(0, first), 36), state };
}
