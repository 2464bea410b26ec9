/** Sessions in a git store, read from their files with as few git calls as possible. */
import { aboutIn } from "../session-about.js";
import { ABOUT, type Facts, factsIn, groupBySession, hasFacts, NAME, splitLines } from "./git-files.js";
import type { Change, TreeFile } from "./git-import.js";
import type { Part } from "./git-parts.js";
import { marksAmong } from "./git-removal.js";
import type { GitRepository } from "./git-repository.js";

type FilesByRef = ReadonlyMap<string, readonly TreeFile[]>;
type Parts = ReadonlyMap<string, readonly Part[]>;

export class GitSessions {
  readonly #repository: GitRepository;
  readonly #lines = new Map<string, readonly Buffer[]>();
  /** The contents of the small JSON files, by blob. */
  readonly #facts = new Map<string, Facts>();
  /** What was made of the files of all refs last. */
  readonly #made = new Map<"stored" | "kept", { readonly refs: FilesByRef; readonly parts: Parts }>();

  constructor(repository: GitRepository) {
    this.#repository = repository;
  }

  /** What the remote has, by session ID. */
  stored(): Promise<Parts> {
    return this.#latest("stored");
  }

  /** Like `stored`, plus what this copy pushed but the remote has since lost. */
  kept(): Promise<Parts> {
    return this.#latest("kept");
  }

  async #latest(what: "stored" | "kept"): Promise<Parts> {
    const refs = await this.#repository[what]();
    const made = this.#made.get(what);
    const isSame = made?.refs.size === refs.size && [...refs].every(([ref, files]) => made.refs.get(ref) === files);
    if (made !== undefined && isSame) return made.parts;
    const parts = await this.#parts(refs);
    this.#made.set(what, { refs, parts });
    return parts;
  }

  async #parts(refs: FilesByRef): Promise<Parts> {
    await this.#readFacts([...refs.values()].flat());
    const found = new Map<string, Part[]>();
    for (const [ref, files] of refs) {
      const [, id = ""] = ref.split("/");
      const { name = id } = this.#factsIn(files.find(({ path }) => path === NAME));
      const replica = { id, name: typeof name === "string" ? name : id };
      for (const [session, of] of groupBySession(files)) {
        const part = {
          ref,
          replica,
          lines: of.filter(({ path }) => path.endsWith(".jsonl")),
          about: aboutIn(this.#factsIn(of.find(({ path }) => path.endsWith(ABOUT)))),
          marks: marksAmong(of),
        };
        const known = found.get(session);
        if (known === undefined) found.set(session, [part]);
        else known.push(part);
      }
    }
    return found;
  }

  /** Reads all unknown facts with one git call. */
  async #readFacts(files: readonly TreeFile[]): Promise<void> {
    const missing = files.filter(({ path, blob }) => hasFacts(path) && !this.#facts.has(blob));
    const read = await this.#repository.read(missing.map(({ blob }) => blob));
    for (const [i, { blob }] of missing.entries()) this.#facts.set(blob, factsIn(read[i]));
  }

  #factsIn(file: TreeFile | undefined): Facts {
    return (file === undefined ? undefined : this.#facts.get(file.blob)) ?? {};
  }

  /** The lines of each file, read with one git call. Rejects if a file cannot be read. */
  async linesIn(files: readonly TreeFile[]): Promise<readonly (readonly Buffer[])[]> {
    const missing = files.filter(({ blob }) => !this.#lines.has(blob));
    const read = await this.#repository.read(missing.map(({ blob }) => blob));
    for (const [i, { blob }] of missing.entries()) this.#lines.set(blob, splitLines(read[i] as Buffer));
    return files.map(({ blob }) => this.#lines.get(blob) as readonly Buffer[]);
  }

  async commit(ref: string, changes: readonly Change[], time: Date): Promise<void> {
    const blobs = await this.#repository.commit(ref, changes, time);
    // Remember what was just written, so that it is not read again.
    for (const { path, content } of changes) {
      const blob = blobs.get(path);
      if (blob === undefined || content === undefined) continue;
      if (hasFacts(path)) this.#facts.set(blob, factsIn(Buffer.from(content)));
      else if (path.endsWith(".jsonl")) this.#lines.set(blob, splitLines(Buffer.from(content)));
    }
  }

  clear(): void {
    this.#lines.clear();
    this.#made.clear();
  }
}
