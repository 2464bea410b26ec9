/** Git commands that change something, with the options that are known to be safe. */
import { optionTable } from "./option-table.js";
import type { Runner } from "./runner.js";

function git(options: string, refuses = /::/): Runner {
  return {
    options: optionTable(options),
    chooses: [],
    isStrict: true,
    namesByOneDash: false,
    stops: false,
    needsOperand: false,
    runsOperand: false,
    // An address such as `ext::sh` runs a program.
    refuses,
    dashes: "operands",
    subcommands: undefined,
  };
}

const PICK =
  "-nxs -m: -X: --no-commit --abort --continue --skip --quit --no-edit --signoff --allow-empty --keep-redundant-commits";
const FETCH =
  "-afpqtvnr46 -j: --all --prune --tags --no-tags --depth: --deepen: --unshallow --force --quiet --verbose --dry-run --multiple --set-upstream --progress --no-progress --prune-tags --recurse-submodules? --no-recurse-submodules";

export const GIT_RUNNERS: Readonly<Record<string, Runner>> = {
  "git add": {
    ...git(
      "-AunvfNp --all --update --verbose --dry-run --force --intent-to-add --no-all --ignore-removal --refresh --ignore-errors --ignore-missing --renormalize --chmod: --patch",
    ),
    changesOperands: false,
  },
  "git commit": {
    ...git(
      "-avsqneoi -m:: -F: --all --message:: --file: --amend --no-edit --edit --signoff --verbose --quiet --no-verify --allow-empty --allow-empty-message --author: --date: --fixup: --squash: --reset-author --dry-run --only --include --trailer: --cleanup: --no-gpg-sign --short --porcelain --status --no-status",
    ),
    changesOperands: false,
  },
  "git checkout": git(
    "-fqtlpmd23 -b: -B: --orphan: --detach --track? --force --quiet --ours --theirs --merge --patch --no-track --guess --no-guess --conflict: --progress --no-progress",
  ),
  "git switch": git(
    "-dfqmt -c: -C: --create: --force-create: --detach --discard-changes --orphan: --track? --no-track --quiet --guess --no-guess --merge --force",
  ),
  "git restore": git(
    "-SWqpm -s: --staged --worktree --source: --quiet --ours --theirs --patch --merge --progress --no-progress",
  ),
  "git reset": git("-qNp --hard --soft --mixed --keep --merge --quiet --patch --no-refresh"),
  "git stash": git(
    "-uakqpS -m:: --include-untracked --all --keep-index --no-keep-index --quiet --message:: --staged --index --patch",
  ),
  "git merge": git(
    "-nqv -m:: -X: --no-ff --ff-only --ff --squash --no-commit --commit --abort --continue --quit --no-edit --message:: --stat --no-stat --log --allow-unrelated-histories --quiet --verbose --autostash",
  ),
  "git rebase": git(
    "-qvfr -X: --abort --continue --skip --quit --onto: --autostash --no-autostash --root --autosquash --no-autosquash --quiet --verbose --no-verify --update-refs --rebase-merges? --keep-base --force-rebase",
  ),
  // `run` and `foreach` take any command, and `replay` takes a file of commands.
  "git bisect": git("--no-checkout --first-parent --term-old: --term-new:", /::|^(?:run|replay)$/),
  "git submodule": git(
    "-qf -b: --quiet --init --recursive --remote --force --depth: --jobs: --merge --rebase --checkout --cached --branch: --name:",
    /::|^foreach$/,
  ),
  "git difftool": git("-ygd --no-prompt --gui --dir-diff --cached --staged"),
  "git archive": git("-lv --list --verbose --format: --prefix: --worktree-attributes"),
  "git worktree": git("-fdq -b: -B: --force --detach --lock --quiet --checkout --no-checkout --track --dry-run"),
  "git cherry-pick": git(PICK),
  "git revert": git(PICK),
  "git rm": git("-fnrq --cached --force --quiet --dry-run --ignore-unmatch"),
  "git mv": git("-fnkv --force --dry-run --verbose"),
  "git fetch": git(FETCH),
  "git pull": git(
    `${FETCH} --rebase? --no-rebase --ff-only --ff --no-ff --autostash --no-autostash --squash --no-commit --no-edit`,
  ),
  "git push": git(
    "-fnquvd46 --all --tags --follow-tags --force --force-with-lease? --force-if-includes --set-upstream --delete --dry-run --quiet --verbose --no-verify --porcelain --progress --mirror --atomic --prune",
  ),
  "git clone": git(
    "-nqvl46 -b: -o: -j: --depth: --branch: --single-branch --no-single-branch --no-tags --shallow-submodules --bare --mirror --origin: --quiet --verbose --progress --no-checkout --filter: --sparse",
  ),
  "git branch": git(
    "-dDmMcCfqt -u: --delete --move --copy --force --quiet --track? --no-track --set-upstream-to: --unset-upstream",
  ),
  "git tag": git("-adf -m:: -F: --annotate --delete --force --message:: --file:"),
  "git init": git("-q -b: --bare --quiet --initial-branch:"),
  "git clean": git("-dfnxXq -e: --force --dry-run --quiet --exclude:"),
  "git apply": git(
    "-R3v -p: -C: --check --stat --numstat --summary --index --cached --reverse --3way --verbose --quiet --whitespace: --unidiff-zero --recount --reject",
  ),
};
