/**
 * Folders of source files, with and without git, kept in bench/data for the next run.
 *
 * @typedef {{ name: string, root: string, files: number }} WorkTree
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATA } from "./data-set.mjs";
import { seededRandom } from "./random.mjs";
import { textPool } from "./text.mjs";

const VERSION = 1;
/** As in a real repository, a folder has about twenty files. */
const IN_A_FOLDER = 20;

/**
 * @param {{ files: number, kind: "git" | "folder" | "varied", progress: import("./data-set.mjs").Progress }} options
 *   `varied`: without git, and every file has its own text of 750 bytes; the others have the same but for a number
 * @returns {WorkTree}
 */
export function workTree({ files, kind, progress }) {
  const name = `work-tree-${kind}-${files}.v${VERSION}`;
  const root = join(DATA, name);
  if (!existsSync(`${root}.note`)) {
    progress(`writing ${name}`);
    rmSync(root, { recursive: true, force: true });
    const random = seededRandom(files);
    const same = sourceText(random, 400);
    for (let at = 0; at < files; at++) {
      const folder = join(root, `part-${Math.floor(at / 1000)}`, `folder-${Math.floor(at / IN_A_FOLDER) % 50}`);
      if (at % IN_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
      const content = kind === "varied" ? sourceText(random, 740).slice(0, 740) : same;
      writeFileSync(join(folder, `module-${at}.txt`), `// ${at}\n${content}`);
    }
    if (kind === "git") commitAll(root);
    writeFileSync(`${root}.note`, "");
  }
  return { name, root, files };
}

/** @param {string} root */
export function commitAll(root) {
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "--quiet");
  writeFileSync(join(root, ".gitignore"), "build/\n*.log\n");
  git("add", "-A");
  git("-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", "Start");
  // A user's repository has been looked at since.
  git("status");
}

/**
 * Text like that of a source file.
 *
 * @param {import("./random.mjs").Random} random
 * @param {number} bytes at least
 */
export function sourceText(random, bytes) {
  const { code } = textPool();
  let text = "";
  while (text.length < bytes) text += JSON.parse(`"${random.pick(code)}"`);
  return text;
}
