/** Git commands that only print, and the options before a git subcommand. */
import { resolve } from "node:path";
import type { ShellWord } from "../shell/shell-line.js";
import { optionTable, type ReadOptions } from "./option-table.js";
import type { Reader } from "./reader.js";

const COMMITS =
  "-# -n: -gmcLir0z -L: -S: -G: --max-count: --skip: --since: --after: --until: --before: --author: --committer: --grep: --grep-reflog: " +
  "--all --branches? --tags? --remotes? --glob: --exclude: --all-match --invert-grep --regexp-ignore-case --extended-regexp " +
  "--fixed-strings --basic-regexp --perl-regexp --merges --no-merges --first-parent --not --stdin --reverse --date-order --topo-order " +
  "--author-date-order --oneline --pretty? --format: --abbrev-commit --no-abbrev-commit --abbrev? --no-abbrev --date: --relative-date " +
  "--decorate? --no-decorate --decorate-refs: --graph --no-graph --source --follow --full-history --simplify-merges --simplify-by-decoration " +
  "--ancestry-path? --left-right --left-only --right-only --cherry --cherry-mark --cherry-pick --boundary --walk-reflogs --reflog " +
  "--no-notes --parents --children --cc --diff-merges: --no-diff-merges --remerge-diff --encoding: --mailmap --use-mailmap --no-mailmap " +
  "--full-diff --log-size --clear-decorations --dense --sparse --show-pulls --no-walk? --do-walk --no-show-signature --no-expand-tabs --expand-tabs?";
const CHANGES =
  "-puwbaRW -U: -M? -C? -B? -D -l: -s -X? -I: --patch --no-patch --unified: --raw --patch-with-raw --indent-heuristic --no-indent-heuristic " +
  "--minimal --patience --histogram --anchored: --diff-algorithm: --stat? --compact-summary --numstat --shortstat --dirstat? " +
  "--cumulative --summary --patch-with-stat --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved " +
  "--color-moved-ws: --word-diff? --word-diff-regex: --color-words? --no-renames --rename-empty --no-rename-empty --check --full-index " +
  "--binary --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter: --pickaxe-all " +
  "--pickaxe-regex --skip-to: --rotate-to: --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change " +
  "--ignore-all-space --ignore-blank-lines --ignore-matching-lines: --inter-hunk-context: --function-context --exit-code --quiet " +
  "--no-ext-diff --no-textconv --ignore-submodules? --src-prefix: --dst-prefix: --no-prefix --default-prefix --line-prefix: --ita-invisible-in-index " +
  "--stat-width: --stat-name-width: --stat-count: --stat-graph-width:";

function reader(options: string, overrides: Partial<Reader> = {}): Reader {
  return { options: optionTable(options), operands: "names", accepts: startsNothing, ...overrides };
}

/** Only without operands or with an option that lists: anything else changes something. */
function lists(options: string, needed: readonly string[] = []): Reader {
  return reader(options, {
    accepts: (read) =>
      startsNothing(read) && (read.operands.length === 0 || needed.some((name) => read.given.has(name))),
  });
}

const FIXED = (pattern: RegExp) => (_: ReadOptions, words: readonly ShellWord[]) =>
  words.every(({ literal }) => literal) && pattern.test(words.map(({ text }) => text).join(" "));

export const GIT_READERS: Readonly<Record<string, Reader>> = {
  "git status": reader(
    "-sbvzuM --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? -u?",
  ),
  "git log": reader(`${COMMITS} ${CHANGES}`),
  "git show": reader(`${COMMITS} ${CHANGES}`),
  "git whatchanged": reader(`${COMMITS} ${CHANGES}`),
  "git reflog": reader(`${COMMITS} ${CHANGES}`, {
    accepts: (read) => startsNothing(read) && !/^(?:expire|delete|drop|write)$/.test(read.operands[0]?.text ?? ""),
  }),
  "git shortlog": reader(`${COMMITS} -nsec -w? --numbered --summary --email --group:`),
  "git rev-list": reader(`${COMMITS} --count --objects --timestamp --header`),
  "git diff": reader(`${CHANGES} --cached --staged --merge-base --no-index -123 -0 --base --ours --theirs`, {
    operands: "files",
  }),
  "git diff-tree": reader(`${CHANGES} -rtmcv --stdin --root --no-commit-id --cc --merge-base`),
  "git diff-index": reader(`${CHANGES} -m --cached --merge-base`),
  "git blame": reader(
    "-bltfnsewcpk -L: -S: -M? -C? --root --show-stats --porcelain --line-porcelain --incremental --date: --score-debug --show-name --show-number --show-email --abbrev: --since: --first-parent --reverse --color-lines --color-by-age --minimal",
    { operands: "files" },
  ),
  "git grep": reader(
    "-aiIwvhHEGPFnlLzcpWqrou -e:: -A: -B: -C: -m: -# --cached --no-index --untracked --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --max-depth: --recursive --no-recursive " +
      "--word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only " +
      "--files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --function-context --after-context: --before-context: --context: --and --or --not --all-match --quiet --threads: --max-count:",
    { operands: "pattern", folders: "always" },
  ),
  "git ls-files": reader(
    "-zcdmosiuktfv -x: --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory --unmerged --killed --exclude: --exclude-standard --error-unmatch --full-name --recurse-submodules --abbrev? --debug --eol --deduplicate --format:",
  ),
  "git ls-tree": reader(
    "-drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev? --format:",
  ),
  "git rev-parse": reader(
    "--verify --quiet -q --short? --abbrev-ref? --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --show-superproject-working-tree --show-object-format? --shared-index-path --local-env-vars --revs-only --no-revs --flags --no-flags --git-path: --path-format:",
  ),
  "git describe": reader(
    "--all --tags --contains --abbrev: --candidates: --exact-match --debug --long --match: --exclude: --always --first-parent --dirty? --broken?",
  ),
  "git merge-base": reader("-a --all --octopus --independent --is-ancestor --fork-point"),
  "git name-rev": reader("--tags --refs: --exclude: --all --name-only --no-undefined --always"),
  "git cat-file": reader("-tsep"),
  "git show-ref": reader("-dsq --head --heads --branches --tags --dereference --hash? --verify --abbrev? --quiet"),
  "git for-each-ref": reader(
    "--count: --sort: --format: --points-at: --merged? --no-merged? --contains? --no-contains? --ignore-case --color?",
  ),
  "git count-objects": reader("-vH --verbose --human-readable"),
  "git check-ignore": reader("-qvzn --quiet --verbose --non-matching --no-index"),
  "git var": reader("-l", { accepts: FIXED(/^-l$/) }),
  "git version": reader("--build-options"),
  "git branch": lists(
    "-avrilq --all --remotes --list --verbose --show-current --merged? --no-merged? --contains? --no-contains? --points-at: --sort: --format: --color? --no-color --column? --no-column --abbrev: --no-abbrev --ignore-case",
    ["list", "l", "merged", "no-merged", "contains", "no-contains"],
  ),
  "git tag": lists(
    "-lni --list --sort: --format: --merged? --no-merged? --contains? --no-contains? --points-at: --color? --column? --no-column --ignore-case",
    ["list", "l"],
  ),
  "git remote": reader("-v --verbose", { accepts: FIXED(/^(?:-v|--verbose)?(?: ?get-url [\w./-]+)?$/) }),
  "git stash list": reader(`${COMMITS} ${CHANGES}`),
  "git stash show": reader(`${CHANGES} --include-untracked --only-untracked`),
  "git worktree list": reader("-vz --verbose --porcelain --expire:"),
  "git config": reader(
    "-lz --get --get-all --get-regexp --list --global --local --system --show-origin --show-scope --name-only --null --type: --default: --bool --int --path",
    {
      // The word after a name is its value, even if it looks like an option.
      stops: true,
      accepts: ({ given, operands }, words) => {
        if (words[0]?.text === "get" || words[0]?.text === "list") return given.size === 0 || !given.has("get");
        return ["l", "list"].some((name) => given.has(name))
          ? operands.length === 0
          : ["get", "get-all", "get-regexp"].some((name) => given.has(name)) && operands.length <= 2;
      },
    },
  ),
  "git submodule status": reader("--cached --recursive --quiet"),
  "git help": reader("-ag", { accepts: ({ operands }) => operands.length === 0 }),
};

/** An address such as `ext::sh` runs a program, and so does showing a signature (`%G?`). */
function startsNothing({ operands, values }: ReadOptions): boolean {
  return (
    operands.every(({ text }) => !text.includes("::")) &&
    values.every(([name, { text }]) => !/^(?:format|pretty)$/.test(name) || !/%[-+ ]?G|signature/.test(text))
  );
}

/**
 * Removes options before the subcommand that only disable the pager or name the current folder. Others, such as `-c` or
 * another folder, stay, which makes the command an unknown one.
 */
export function plainGit(words: readonly ShellWord[], cwd: string | undefined): readonly ShellWord[] {
  const [name] = words;
  let at = 1;
  for (;;) {
    const text = words[at]?.text;
    const next = words[at + 1];
    if (text === "--no-pager" || text === "-P") at++;
    else if (
      text === "-C" &&
      next?.literal === true &&
      cwd !== undefined &&
      next.text !== "" &&
      resolve(cwd, next.text) === cwd
    )
      at += 2;
    else break;
  }
  return name === undefined || at === 1 ? words : [name, ...words.slice(at)];
}
