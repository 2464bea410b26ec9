/** The ignore files of a tree: `.gitignore`, `.ignore` and `.rgignore`, read as git and ripgrep read them. */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import ignore, { type Ignore } from "ignore";

/** Later ones win over earlier ones in the same folder. */
const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];
const MAX_BYTES = 1024 * 1024;

interface RuleSet {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * Answers for any path, reading each folder's ignore files once. The nearest folder with a matching rule decides. Rules
 * from above apply up to the root of the git repository. If a folder is entered although rules from above ignore it (it
 * was named explicitly, or a nearer rule includes it again), those rules do not apply inside it.
 */
export class IgnoreRules {
  readonly #inForce = new Map<string, readonly RuleSet[]>();

  /** Whether this one entry is ignored, given that its folder is entered. */
  ignores(path: string, kind: "file" | "folder"): boolean {
    for (const set of this.#rulesIn(dirname(path))) {
      const { ignored, unignored } = set.rules.test(nameIn(set, { path, kind }));
      if (ignored) return true;
      if (unignored) return false;
    }
    return false;
  }

  /** Whether a walk from the root would skip this file because it, or a folder on the way, is ignored. */
  ignoresBelow(root: string, path: string): boolean {
    if (this.ignores(path, "file")) return true;
    for (let folder = dirname(path); folder !== root && isInside(root, folder); folder = dirname(folder)) {
      if (this.ignores(folder, "folder")) return true;
    }
    return false;
  }

  /** Nearest first. */
  #rulesIn(folder: string): readonly RuleSet[] {
    const known = this.#inForce.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const above = parent === folder || existsSync(join(folder, ".git")) ? [] : this.#rulesIn(parent);
    const still = above.filter((set) => !set.rules.ignores(nameIn(set, { path: folder, kind: "folder" })));
    const own = readRules(folder);
    const inForce = own === undefined ? still : [own, ...still];
    this.#inForce.set(folder, inForce);
    return inForce;
  }
}

interface Named {
  readonly path: string;
  readonly kind: "file" | "folder";
}

function nameIn({ folder }: RuleSet, { path, kind }: Named): string {
  const name = relative(folder, path).split(sep).join("/");
  return kind === "folder" ? `${name}/` : name;
}

function readRules(folder: string): RuleSet | undefined {
  let rules: Ignore | undefined;
  for (const name of IGNORE_FILES) {
    const text = ignoreText(join(folder, name));
    if (text === undefined) continue;
    rules ??= ignore({ ignorecase: false });
    rules.add(text);
  }
  return rules === undefined ? undefined : { folder, rules };
}

/** Links are not followed, as in git: a link could bring outside text into the search. */
function ignoreText(path: string): string | undefined {
  try {
    const info = lstatSync(path);
    if (!info.isFile() || info.size > MAX_BYTES) return undefined;
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch {
    // Missing or not readable: it ignores nothing.
    return undefined;
  }
}
