/** The folder the walk is in: how it is made, what a person and a command do there, and what is in it. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type World, worldAt } from "../file-world.js";
import type { Random } from "./random.js";

const NAMES = ["a.txt", "b.txt", "c.md", "run.sh", "src/d.ts", "src/e.ts", "src/deep/f.ts", "döc/g h.txt", "lib/i.js"];
const FOLDERS = ["src", "lib", "döc", "src/deep", "new"];

/** Different ways in which git has other bytes than the disk, or does not look. */
const GIT_KINDS = ["plain", "text-auto-crlf", "autocrlf", "eol-crlf", "ident", "assume-unchanged"] as const;

interface PlaceOptions {
  readonly root: string;
  readonly isGit: boolean;
  /** Chooses the kind of repository. */
  readonly number: number;
  readonly random: Random;
}

export class Place {
  readonly root: string;
  readonly gitKind: (typeof GIT_KINDS)[number] | undefined;
  /** Ignored files that a tool has named; they are followed from then on. */
  readonly named = new Set<string>();
  /**
   * Whether a command copied a folder, or git added it, while `edit` or `write` may have been at work in it: then the copy
   * can hold their temporary file, which is not followed, and which is put back later, after they have removed it.
   */
  hasCopiesInPassing = false;
  readonly #random: Random;
  #count = 0;

  constructor({ root, isGit, number, random }: PlaceOptions) {
    this.root = root;
    this.#random = random;
    this.gitKind = isGit ? GIT_KINDS[number % GIT_KINDS.length] : undefined;
    mkdirSync(root, { recursive: true });
    this.#put(".gitignore", "out/\n*.log\n");
    for (const name of NAMES) this.#put(name, this.content("start", this.gitKind === "plain" ? "\n" : undefined));
    chmodSync(join(root, "run.sh"), 0o755);
    symlinkSync("a.txt", join(root, "link"));
    mkdirSync(join(root, "out"));
    if (this.gitKind !== undefined) this.#makeRepository(this.gitKind);
  }

  /** Every followed file. */
  look(): World {
    return worldAt(this.root, (path) => {
      if (path === ".git" || path === "node_modules" || path === "out") return true;
      if (this.hasCopiesInPassing && /(^|\/)\.[^/]+-call_[^/]+\.tmp$/.test(path)) return true;
      return path.endsWith(".log") && !this.named.has(path);
    });
  }

  /** A text that says who wrote it, of a size that many others have. */
  content(actor: string, newline = this.#random.pick(["\n", "\n", "\r\n"])): string {
    const lines = Array.from({ length: 1 + this.#random.below(4) }, () => this.mark(actor));
    return lines.join(newline) + newline;
  }

  /** `@A:00017` was written after `@B:00016`. */
  mark(actor: string): string {
    return `@${actor}:${String(++this.#count).padStart(6, "0")}`;
  }

  /** A path of a file that may or may not be there. */
  path(): string {
    const { chance, pick } = bound(this.#random);
    if (chance(0.75)) return pick(NAMES);
    return `${pick(["", ...FOLDERS.map((name) => `${name}/`)])}n${this.#random.below(6)}.txt`;
  }

  folder(): string {
    return this.#random.pick(FOLDERS);
  }

  exists(path: string): boolean {
    try {
      return !lstatSync(join(this.root, path)).isDirectory();
    } catch {
      return false;
    }
  }

  text(path: string): string | undefined {
    try {
      return lstatSync(join(this.root, path)).isFile() ? readFileSync(join(this.root, path), "utf8") : undefined;
    } catch {
      return undefined;
    }
  }

  /** What a person does in another window. */
  outside(): string {
    const random = this.#random;
    const path = this.path();
    const at = join(this.root, path);
    const what = random.weighted({ write: 6, remove: 2, mode: 1, link: 1, move: 2, folder: 1, fileForFolder: 0.5 });
    try {
      if (what === "write") this.#put(path, this.content("person"));
      else if (what === "remove") rmSync(at, { force: true });
      else if (what === "mode" && this.exists(path)) chmodSync(at, random.chance(0.5) ? 0o755 : 0o644);
      else if (what === "link") {
        rmSync(at, { force: true });
        mkdirSync(dirname(at), { recursive: true });
        symlinkSync(random.pick(["a.txt", "nowhere", "../x"]), at);
      } else if (what === "move" && this.exists(path)) {
        const to = this.path();
        mkdirSync(dirname(join(this.root, to)), { recursive: true });
        renameSync(at, join(this.root, to));
      } else if (what === "folder") {
        const folder = join(this.root, this.folder());
        if (existsSync(folder)) renameSync(folder, `${folder}-old${random.below(3)}`);
        mkdirSync(folder, { recursive: true });
      } else if (what === "fileForFolder") {
        const folder = join(this.root, this.folder());
        rmSync(folder, { recursive: true, force: true });
        writeFileSync(folder, this.content("person"));
      }
    } catch {
      // A folder is where a file should be, or the other way round: a person would see the same error.
    }
    return `${what} ${path}`;
  }

  /** What a person does with git. */
  gitCommand(): string {
    const commands = [
      "git add -A && git commit -qm step",
      "git add -A",
      `git checkout -- '${this.path()}'`,
      "git checkout -- .",
      "git stash -q && git stash pop -q",
      "git stash -q",
      "git stash pop -q",
      "git reset -q --hard",
      `git rm -q --cached '${this.path()}'`,
      `git mv -f '${this.path()}' moved.txt`,
      "git checkout -q -B side",
      "git checkout -q -B main",
      "git clean -qfd",
      "git status --short",
      "git gc -q",
    ];
    const command = this.#random.pick(commands);
    this.#git(command);
    return command;
  }

  /** A command line for the tool. `own` keeps to files that say who wrote them. */
  command(actor: string, { own = false } = {}): string {
    const random = this.#random;
    const [path, other, folder] = [this.path(), this.path(), this.folder()].map((name) => `'${name}'`);
    const simple = [
      `echo ${this.mark(actor)} >> ${path}`,
      `echo ${this.mark(actor)} > ${path}`,
      `mkdir -p ${folder}; echo ${this.mark(actor)} > ${folder}/made.txt`,
      `rm -f ${path}`,
    ];
    if (own) return random.pick(simple);
    return random.pick([
      ...simple,
      `mv -f ${path} ${other}`,
      `cp ${path} ${other}`,
      `chmod +x ${path}`,
      `chmod -x ${path}`,
      `ln -sfn a.txt ${path}`,
      `rm -rf ${folder}`,
      `mv ${folder} ${folder}-b; mkdir -p ${folder}`,
      `sed -i s/@/@/ ${path}`,
      `printf x > out/ignored; true`,
      `rm -rf ${folder}; echo ${this.mark(actor)} > ${folder}`,
      `tar cf /tmp/walk-$$.tar ${folder} && rm -rf ${folder} && tar xf /tmp/walk-$$.tar; rm -f /tmp/walk-$$.tar`,
      `touch -d '2020-01-01' ${path}`,
      ...(this.gitKind === undefined
        ? []
        : [`git checkout -- ${path}`, "git add -A; git commit -qm tool", "git stash -q; git stash pop -q"]),
    ]);
  }

  #put(path: string, text: string): void {
    const at = join(this.root, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
  }

  #makeRepository(kind: (typeof GIT_KINDS)[number]): void {
    const config: Readonly<Record<string, readonly string[]>> = {
      autocrlf: ["git config core.autocrlf true"],
      "eol-crlf": ["printf '* text eol=crlf\\n' > .gitattributes"],
      "text-auto-crlf": ["printf '* text=auto\\n' > .gitattributes"],
      ident: ["printf '*.md ident\\n' > .gitattributes", "printf '$Id$ @start:000000\\n' > c.md"],
    };
    this.#git("git init -q -b main");
    this.#git("git config user.email walk@example.invalid; git config user.name walk; git config core.safecrlf false");
    for (const line of config[kind] ?? []) this.#git(line);
    this.#git("git add -A; git commit -qm start");
    if (kind === "ident") this.#git("rm c.md; git checkout -- c.md");
    if (kind === "assume-unchanged") {
      this.#git("git update-index --assume-unchanged a.txt; git update-index --skip-worktree b.txt");
    }
  }

  #git(command: string): void {
    try {
      execFileSync("bash", ["-c", command], { cwd: this.root, stdio: "ignore" });
    } catch {
      // Git refuses much of this at the wrong moment, which is what happens to people too.
    }
  }
}

function bound(random: Random) {
  return { chance: random.chance.bind(random), pick: random.pick.bind(random) };
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}
