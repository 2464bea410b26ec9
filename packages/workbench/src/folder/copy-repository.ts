/**
 * A repository of its own for the folder of an attempt, with every branch, tag and remote of the original, and the same
 * index. Nothing is checked out, no hook or filter runs, nothing is written in the original, and nothing can be pushed.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { itemsIn, makeFolder } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { runGit } from "../checkpoint/internal.js";
import { copyTree } from "./copy-files.js";
import { FolderError } from "./folder-error.js";

/** A shallow repository is packed again, which can take long. */
const LONGEST_MS = 30 * 60_000;

/** What a merge, a rebase or a cherry-pick in progress keeps, and rules of the repository. */
const KEPT_FILES = [
  "ORIG_HEAD",
  "MERGE_HEAD",
  "MERGE_MSG",
  "MERGE_MODE",
  "AUTO_MERGE",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
];
const KEPT_FOLDERS = ["rebase-merge", "rebase-apply", "sequencer"];
const COMMON_FILES = ["info/exclude", "info/attributes", "info/grafts"];

/** What decides bytes and names, who commits, and where branches come from. Everything else may name programs or paths. */
const KEPT_SETTINGS =
  /^(?:user|author|committer|filter|i18n|branch|diff|merge)\.|^extensions\.partialclone$|^core\.(?:abbrev|attributesfile|autocrlf|bigfilethreshold|checkroundtripencoding|eol|excludesfile|filemode|ignorecase|longpaths|notesref|precomposeunicode|protecthfs|protectntfs|quotepath|safecrlf|sparsecheckout|sparsecheckoutcone|symlinks|whitespace)$|^remote\..*\.(?:url|fetch|promisor|partialclonefilter|tagopt)$/s;

/** No program speaks this protocol. */
const NO_PUSH = "attempts-cannot-push://";

export async function copyRepository({
  from,
  to,
  index,
  signal,
}: {
  /** The top of the working folder. */
  readonly from: string;
  readonly to: string;
  /** The index of the original. */
  readonly index: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<void> {
  let said = "";
  const config = ["protocol.file.allow=always"];
  const clone = ["clone", "--quiet", "--mirror", "--local", "--template=", "--", from, join(to, ".git")];
  const onError = (text: string) => {
    said = `${said}${text}`.slice(-4096);
  };
  const options = { cwd: from, config, onError, longestMs: LONGEST_MS, ...(signal === undefined ? {} : { signal }) };
  makeFolder(to);
  if ((await runGit(clone, options)) === undefined) {
    signal?.throwIfAborted();
    const isFull = /No space left on device/i.test(said);
    throw new FolderError(isFull ? "no-space" : "copy-failed", `git could not copy the repository ${from}`, {
      data: { from },
      hint: said.trim() === "" ? "Is git installed, and the disk not full?" : `git said: ${said.trim()}`,
    });
  }
  const git = join(to, ".git");
  const ask = async (name: string) =>
    (await runGit(["rev-parse", name], { cwd: from }))?.toString().replace(/\r?\n$/, "");
  const [own, common] = [await ask("--absolute-git-dir"), await ask("--git-common-dir")];
  if (own === undefined || common === undefined) throw notReadable(from);
  await writeConfig({ from, git });
  copyState({ own, common: resolve(from, common), git });
  for (const name of KEPT_FOLDERS) {
    if (existsSync(join(own, name))) await copyTree({ from: join(own, name), to: join(git, name), signal });
  }
  copyIndex({ own, index, git });
}

function notReadable(from: string): FolderError {
  return new FolderError("copy-failed", `git could not read the repository ${from}`, { data: { from } });
}

function copyState({ own, common, git }: { readonly own: string; readonly common: string; readonly git: string }) {
  const copy = (source: string, name: string) => {
    const target = join(git, name);
    makeFolder(dirname(target));
    attempt(() => copyFileSync(join(source, name), target));
  };
  for (const name of KEPT_FILES) copy(own, name);
  for (const name of COMMON_FILES) copy(common, name);
  copy(own, "info/sparse-checkout");
  // Of a linked worktree, or detached. A table of references has it elsewhere.
  const head = attempt(() => readFileSync(join(own, "HEAD"), "utf8"));
  if (head !== undefined && !head.includes("refs/heads/.invalid")) writeFileSync(join(git, "HEAD"), head);
}

/** With its time: git reads files again that are as new as the index. */
function copyIndex({ own, index, git }: { readonly own: string; readonly index: string; readonly git: string }) {
  const stats = statSync(index, { throwIfNoEntry: false });
  if (stats === undefined) return;
  copyFileSync(index, join(git, "index"));
  utimesSync(join(git, "index"), stats.atimeMs / 1000, stats.mtimeMs / 1000);
  for (const { name } of itemsIn(own)) {
    if (name.startsWith("sharedindex.")) attempt(() => copyFileSync(join(own, name), join(git, name)));
  }
}

async function writeConfig({ from, git }: { readonly from: string; readonly git: string }): Promise<void> {
  const listed = async (folder: string, ...more: readonly string[]) => {
    const args = ["config", "--null", "--list", ...more];
    return pairsIn((await runGit(args, { cwd: folder }))?.toString("utf8") ?? "");
  };
  const made = await listed(from, "--file", join(git, "config"));
  const formats = made.filter(([key]) => /^(?:core\.repositoryformatversion|extensions\..*)$/.test(key));
  const kept = (await listed(from, "--local", "--includes")).filter(([key]) => KEPT_SETTINGS.test(key));
  const settings: Pair[] = [
    ...formats,
    ...kept.map(([key, value]): Pair => {
      const isPath = /^remote\..*\.url$/s.test(key) && /^\.\.?\//.test(value ?? "");
      return isPath ? [key, resolve(from, value ?? "")] : [key, value];
    }),
    ["core.bare", "false"],
    ["core.hooksPath", "/dev/null"],
    // The copies have the times and sizes of the originals, but not their numbers on the disk.
    ["core.trustctime", "false"],
    ["core.checkStat", "minimal"],
    // Nothing keeps running in the folder by itself.
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    // The empty prefix of every address.
    [`url.${NO_PUSH}.pushInsteadOf`, ""],
  ];
  if (settings.some(([key]) => key === "extensions.partialclone")) {
    settings.push(["core.repositoryformatversion", "1"]);
  }
  rmSync(join(git, "config"), { force: true });
  writeFileSync(join(git, "config"), settings.map(configText).join(""));
}

/** A setting without a value is true. */
type Pair = readonly [key: string, value: string | undefined];

function pairsIn(text: string): readonly Pair[] {
  return text
    .split("\0")
    .filter((one) => one !== "")
    .map((one): Pair => {
      const end = one.indexOf("\n");
      return end < 0 ? [one, undefined] : [one.slice(0, end), one.slice(end + 1)];
    });
}

function configText([key, value]: Pair): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const section = key.slice(0, first);
  const within = first === last ? "" : ` "${key.slice(first + 1, last).replace(/["\\]/g, "\\$&")}"`;
  const said = value?.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `[${section}${within}]\n\t${key.slice(last + 1)}${said === undefined ? "" : ` = "${said}"`}\n`;
}
