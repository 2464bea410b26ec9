/** Globs of ignored files to record anyway. */
import ignore, { type Ignore } from "ignore";

/** A glob without a slash matches names at any depth; one with a slash is relative to the root. */
export function anchoredGlobs(globs: readonly string[]): readonly string[] {
  return globs
    .map((glob) => glob.replace(/^(\.?\/)+/, "").replace(/\/+$/, ""))
    .filter((glob) => glob !== "" && !glob.split("/").includes(".."))
    .map((glob) => (glob.includes("/") ? glob : `**/${glob}`));
}

export class Included {
  readonly #globs: Ignore;
  /** The part of each glob before its first wildcard. */
  readonly #starts: readonly string[];

  constructor(globs: readonly string[]) {
    const anchored = anchoredGlobs(globs);
    this.#globs = ignore({ ignorecase: false }).add(anchored.map((glob) => `/${glob}`));
    this.#starts = anchored.map(literalStart);
  }

  has(path: string): boolean {
    return this.#starts.length > 0 && this.#globs.ignores(path);
  }

  /** Whether a folder may contain a match. */
  mayHold(folder: string): boolean {
    return this.#starts.some(
      (start) => start === folder || start.startsWith(`${folder}/`) || start === "" || folder.startsWith(`${start}/`),
    );
  }

  /** Whether a glob names a folder itself, before any wildcard. */
  names(folder: string): boolean {
    return this.#starts.some((start) => start === folder || start.startsWith(`${folder}/`));
  }
}

function literalStart(glob: string): string {
  const parts = glob.split("/");
  const wild = parts.findIndex((part) => /[*?[\]\\]/.test(part));
  return parts.slice(0, wild < 0 ? parts.length : wild).join("/");
}
