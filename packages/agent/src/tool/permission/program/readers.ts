/** Programs that only read and print, with the options that are known to keep it that way. */
import type { ShellWord } from "../shell/shell-line.js";
import { FIND } from "./find.js";
import { GIT_READERS } from "./git.js";
import { optionTable, type ReadOptions, readOptions } from "./option-table.js";
import type { Reader } from "./reader.js";
import { isPlainAwk, isPlainFormat, isPlainSed } from "./scripts.js";

type ReaderFields = Partial<Omit<Reader, "options">>;

function reader(options: string, overrides: ReaderFields = {}): Reader {
  return { options: optionTable(options), operands: "files", ...overrides };
}

const NAMES: ReaderFields = { operands: "names" };
const HELP = "--help --version";
const GREP: Reader = reader(
  "-EFGPivwxcLlqsohHnTZabzrRUyu -e:: -m: -A: -B: -C: -d: -D: -# --extended-regexp --fixed-strings --basic-regexp --perl-regexp " +
    "--regexp:: --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? " +
    "--files-without-match --files-with-matches --max-count: --only-matching --quiet --silent --no-messages --byte-offset " +
    "--with-filename --no-filename --label: --line-number --initial-tab --null --after-context: --before-context: " +
    "--context: --group-separator: --no-group-separator --text --binary-files: --exclude: --exclude-dir: --include: " +
    "--recursive --dereference-recursive --line-buffered --null-data --binary --help --version --directories: --devices:",
  { operands: "pattern", folders: ["r", "R", "recursive", "dereference-recursive", "d", "directories"] },
);
const SUMS = reader("-bcztw --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn");

/** Keyed by name, which includes the subcommand if there is one. */
const READERS: Readonly<Record<string, Reader>> = {
  ls: reader(
    "-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1@eOTW -I: -w: -T: --all --almost-all --author --escape --block-size: --ignore-backups " +
      "--color? --directory --classify? --file-type --full-time --group-directories-first --no-group --human-readable --si " +
      "--dereference-command-line --dereference-command-line-symlink-to-dir --hide: --hyperlink? --indicator-style: --inode " +
      "--ignore: --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name " +
      "--quoting-style: --reverse --recursive --size --sort: --time: --time-style: --tabsize: --width: --context --zero --help --version",
    NAMES,
  ),
  cat: reader(
    "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --help --version",
  ),
  head: reader("-c: -n: -qvz -# --bytes: --lines: --quiet --silent --verbose --zero-terminated --help --version"),
  tail: reader(
    "-c: -n: -s: -fFqvzr -# --bytes: --lines: --follow? --quiet --silent --verbose --zero-terminated --retry --pid: --sleep-interval: --help --version",
  ),
  wc: reader("-cmlLw --bytes --chars --lines --max-line-length --words --total: --help --version"),
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: reader(
    "-abcFhHiIlLnNopPqsSuUvVwx0. -e:: -g: -A: -B: -C: -m: -M: -d: -j: -t: -T: -r: -E: --regexp:: --after-context: --before-context: --context: " +
      "--auto-hybrid-regex --binary --block-buffered --byte-offset --case-sensitive --color: --colors: --column --no-column " +
      "--context-separator: --no-context-separator --count --count-matches --crlf --debug --dfa-size-limit: --encoding: --engine: " +
      "--field-context-separator: --field-match-separator: --files --files-with-matches --files-without-match --fixed-strings " +
      "--follow --glob: --glob-case-insensitive --heading --no-heading --hidden --no-hidden --iglob: --ignore-case --include-zero " +
      "--invert-match --json --line-buffered --line-number --no-line-number --line-regexp --max-columns: --max-columns-preview " +
      "--max-count: --max-depth: --max-filesize: --mmap --multiline --multiline-dotall --no-config --no-ignore --no-ignore-dot " +
      "--no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs " +
      "--no-messages --no-mmap --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru " +
      "--path-separator: --pcre2 --pcre2-version --pretty --quiet --regex-size-limit: --replace: --smart-case " +
      "--sort: --sort-files --sortr: --stats --stop-on-nonmatch --text --threads: --trim --type: --type-list --type-not: " +
      "--unrestricted --vimgrep --with-filename --no-filename --word-regexp --help --version",
    { operands: "pattern", folders: "always", hidden: ["hidden", ".", "u", "unrestricted", "g", "glob", "iglob"] },
  ),
  sort: reader(
    "-bdfghiMnRrVcCmsuz -k: -S: -t: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort " +
      "--ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort: --version-sort " +
      "--batch-size: --check? --debug --key: --merge --stable --buffer-size: --field-separator: --parallel: --unique --zero-terminated --help --version",
  ),
  uniq: reader(
    "-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --skip-fields: --group? --ignore-case --skip-chars: --unique --zero-terminated --check-chars: --help --version",
    { most: 1 },
  ),
  cut: reader(
    "-nsz -b: -c: -d: -f: --bytes: --characters: --delimiter: --fields: --complement --only-delimited --output-delimiter: --zero-terminated --help --version",
  ),
  tr: reader("-cCdst --complement --delete --squeeze-repeats --truncate-set1 --help --version", NAMES),
  diff: reader(
    "-abBcdeiNnpqrstTuwyEHZ -U: -C: -W: -I: -x: -L: --normal --brief --report-identical-files --context? --unified? --ed --rcs " +
      "--side-by-side --width: --left-column --suppress-common-lines --show-c-function --show-function-line: --label: --expand-tabs " +
      "--initial-tab --tabsize: --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file " +
      "--ignore-file-name-case --exclude: --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change " +
      "--ignore-all-space --ignore-blank-lines --ignore-matching-lines: --text --strip-trailing-cr --minimal --color? --help --version",
    { folders: "always" },
  ),
  cmp: reader("-bls -n: -i: --print-bytes --verbose --quiet --silent --bytes: --ignore-initial: --help --version"),
  comm: reader("-123z --check-order --nocheck-order --output-delimiter: --total --zero-terminated --help --version"),
  file: reader(
    "-bikLhNprsv0 --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --help --version",
  ),
  stat: reader("-Lftx -c: --dereference --file-system --format: --printf: --terse --help --version", NAMES),
  du: reader(
    "-0abcDhHkLlmPsSx -B: -d: -t: --all --apparent-size --block-size: --bytes --total --max-depth: --human-readable --inodes " +
      "--dereference --null --no-dereference --separate-dirs --si --summarize --threshold: --time? --exclude: --one-file-system --help --version",
    NAMES,
  ),
  df: reader(
    "-ahHiklPT -B: -t: -x: --all --human-readable --si --inodes --local --portability --print-type --total --output? --help --version",
    NAMES,
  ),
  tree: reader(
    "-adflxLqQpugshDFiNSnCACJXv -L: -P: -I: --dirsfirst --noreport --charset: --filelimit: --prune --gitignore --du --si --sort: --timefmt: --matchdirs --ignore-case --help --version",
    NAMES,
  ),
  pwd: reader("-LP", NAMES),
  which: reader("-as --all", NAMES),
  type: reader("-aftpP", NAMES),
  whoami: reader(HELP, NAMES),
  id: reader("-agGnruzZ --group --groups --name --real --user --zero --help --version", NAMES),
  uname: reader("-asnrvmpio --all --help --version", NAMES),
  arch: reader(HELP, NAMES),
  nproc: reader("--all --ignore: --help --version", NAMES),
  uptime: reader("-psV --pretty --since --help --version", NAMES),
  free: reader("-bkmghtwV --bytes --kibi --mebi --gibi --human --total --help --version", NAMES),
  ps: reader(
    "-aAdefFjlNTuwxcHLMyZ -o: -p: -u: -C: -U: -G: -t: --no-headers --headers --sort: --forest --pid: --ppid: --user: --help --version",
    NAMES,
  ),
  date: reader(
    "-uRjn -d:: -I? -r: -v: --date:: --iso-8601? --rfc-email --rfc-3339: --reference: --utc --universal --help --version",
    { operands: "names", accepts: ({ operands }) => operands.every(({ text }) => text.startsWith("+")) },
  ),
  basename: reader("-az -s: --multiple --suffix: --zero --help --version", NAMES),
  dirname: reader("-z --zero --help --version", NAMES),
  realpath: reader(
    "-ePLmqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to: --relative-base: --strip --no-symlinks --zero --help --version",
    NAMES,
  ),
  readlink: reader(
    "-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --help --version",
    NAMES,
  ),
  nl: reader(
    "-p -b: -d: -f: -h: -i: -l: -n: -s: -v: -w: --body-numbering: --number-format: --number-width: --help --version",
  ),
  tac: reader("-br -s: --before --regex --separator: --help --version"),
  rev: reader("-hV --help --version"),
  column: reader(
    "-tnxeJdL -c: -s: -o: -N: -R: -H: --table --separator: --output-separator: --table-columns: --json --help --version",
  ),
  fold: reader("-bs -w: --bytes --spaces --width: --help --version"),
  paste: reader("-sz -d: --delimiters: --serial --zero-terminated --help --version"),
  join: reader(
    "-iz -a: -e: -j: -1: -2: -o: -t: -v: --ignore-case --header --check-order --nocheck-order --help --version",
  ),
  expand: reader("-i -t: --initial --tabs: --help --version"),
  strings: reader("-afow -n: -t: -e: --all --bytes: --radix: --encoding: --print-file-name --help --version"),
  od: reader(
    "-abcdfilosvx -A: -j: -N: -S: -t: -w? --address-radix: --endian: --skip-bytes: --read-bytes: --format: --output-duplicates --width? --help --version",
  ),
  hexdump: reader("-bcCdovx -e: -n: -s: --canonical --no-squeezing --length: --skip: --help --version"),
  xxd: reader("-abCeEipruv -c: -g: -l: -o: -s:", { most: 1 }),
  md5sum: SUMS,
  sha1sum: SUMS,
  sha256sum: SUMS,
  sha512sum: SUMS,
  shasum: reader(
    "-bctUp01s -a: --algorithm: --binary --check --text --status --quiet --strict --warn --help --version",
  ),
  cksum: reader("-a: --algorithm: --base64 --raw --tag --untagged --zero --help --version"),
  base64: reader("-di -w: --decode --ignore-garbage --wrap: --help --version"),
  seq: reader("-w -f: -s: --format: --separator: --equal-width --help --version", NAMES),
  sleep: reader(HELP, NAMES),
  tty: reader("-s --silent --quiet --help --version", NAMES),
  cal: reader("-1357jmnswyV --help --version", NAMES),
  jq: reader(
    "-acCeMnrRsSjV --compact-output --null-input --raw-input --raw-output --raw-output0 --join-output --ascii-output --sort-keys --color-output " +
      "--monochrome-output --tab --indent: --unbuffered --stream --seq --slurp --exit-status --help --version",
    // Modules would read other files.
    {
      operands: "pattern",
      accepts: ({ operands: [program] }) =>
        program === undefined || (program.literal && !/\b(?:import|include|modulemeta)\b/.test(program.text)),
    },
  ),
  printf: reader("--help --version", {
    operands: "names",
    stops: true,
    accepts: ({ operands: [format] }) => isPlainFormat(format),
  }),
  // With these options it only looks up a command.
  command: reader("-v -V", {
    operands: "names",
    accepts: ({ given, operands }) => given.size > 0 && operands.every(({ literal }) => literal),
  }),
  wait: reader("", { operands: "names", accepts: ({ operands }) => operands.every(({ text }) => /^\d+$/.test(text)) }),
  set: reader("-eu -o:", { operands: "names", accepts: isStricter }),
  sed: reader(
    "-nErsuz -e: --expression: --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --debug --sandbox --help --version",
    {
      operands: "pattern",
      accepts: isPlainSed,
    },
  ),
  awk: reader("-F: -v:", { operands: "pattern", stops: true, accepts: isPlainAwk }),
  find: FIND,
  cd: reader("", NAMES),
  less: reader("-EFiIKmMnNqQrRsSwWX -p: --no-init --quit-if-one-screen --raw-control-chars --help --version", {
    accepts: hasNoCommand,
  }),
  more: reader("-cdflpsu -n: -#", { accepts: hasNoCommand }),
  man: reader("-afkw -s: -S: --all --apropos --whatis --where --path --sections: --help --version", {
    operands: "names",
    accepts: ({ operands }) => operands.every(({ text }) => !text.includes("/")),
  }),
  bat: reader(
    "-ApnSuPf -l: -H: -r: -m: --show-all --plain? --language: --highlight-line: --line-range: --number --color: --decorations: --style: --wrap: --theme: --tabs: --paging: --no-paging --list-languages --list-themes --help --version",
  ),
  fd: reader(
    "-HIusigaltpLqF01h -d: -t: -e: -E: -S: -o: -c: -j: -# --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --and: --absolute-path " +
      "--list-details --follow --full-path --print0 --max-depth: --min-depth: --exact-depth: --exclude: --prune --type: --extension: --size: --changed-within: --changed-before: --owner: --color: --threads: --max-results: --quiet --help --version",
    {
      operands: "names",
      // `-x` and `-X` run a program, also inside a cluster of letters.
      accepts: (_, words) => words.every(({ text }) => !/^-\w*[xX]/.test(text)),
    },
  ),
  shuf: reader("-erz -i: -n: --echo --input-range: --head-count: --repeat --zero-terminated --help --version"),
  iconv: reader("-lcs -f: -t: --from-code: --to-code: --list --silent --help --version"),
  tar: reader("-tvzjJ -f: --list --verbose --gzip --bzip2 --xz --file: --help --version", {
    // The first word needs no dash: `tar tf`.
    prepare: ([first, ...rest]) =>
      first?.literal === true && /^[tvzjJ]+f?$/.test(first.text)
        ? [{ ...first, text: `-${first.text}` }, ...rest]
        : [...(first === undefined ? [] : [first]), ...rest],
    // An archive on another machine (`host:file`) would run a program, and other first words are options too.
    accepts: ({ given, operands }, words) =>
      words[0]?.text.startsWith("-") === true &&
      (given.has("t") || given.has("list")) &&
      operands.every(({ text }) => !text.startsWith("-")) &&
      words.every(({ text }) => !text.includes(":")),
  }),
  unzip: reader("-lvZqt12", {
    stops: true,
    // Without one of these it extracts, and some of its options may come last.
    accepts: ({ given, operands }, words) =>
      (["l", "v", "t"].some((name) => given.has(name)) || words[0]?.text.startsWith("-Z") === true) &&
      operands.every(({ text }) => !text.startsWith("-")),
  }),
  zipinfo: reader("-12lsmhtTz"),
  ...GIT_READERS,
};

const ALIASES: Readonly<Record<string, string>> = {
  gawk: "awk",
  mawk: "awk",
  nawk: "awk",
  fdfind: "fd",
  batcat: "bat",
  gsed: "sed",
  ggrep: "grep",
  ripgrep: "rg",
};

export function readerFor(name: string): Reader | undefined {
  const known = Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name;
  return Object.hasOwn(READERS, known) ? READERS[known] : undefined;
}

export interface ReadFiles {
  readonly files: readonly ShellWord[];
  /** Folders whose files it reads. */
  readonly folders: readonly ShellWord[];
  /** Whether it skips hidden files in folders. */
  readonly leavesHidden: boolean;
}

const HERE: ShellWord = { text: ".", literal: true };

/**
 * The files whose content a reader prints; undefined if that is not certain. `fixed`: how many of the words a rule
 * names.
 */
export function filesRead(reader: Reader, given: readonly ShellWord[], fixed = 0): ReadFiles | undefined {
  const { stops = false, most = Number.POSITIVE_INFINITY } = reader;
  const words = reader.prepare?.(given) ?? given;
  const read = readOptions(words, reader.options, { fixed, stops });
  if (read === undefined || reader.accepts?.(read, words) === false) return undefined;
  const { operands } = read;
  const has = (name: string): boolean => read.given.has(name);
  if (operands.length > most || (most !== Number.POSITIVE_INFINITY && operands.some(({ literal }) => !literal)))
    return undefined;
  if (reader.operands === "names") return { files: [], folders: [], leavesHidden: false };
  const hasPattern = reader.operands === "pattern" && !["e", "regexp", "expression", "files", "type-list"].some(has);
  const files = hasPattern ? operands.slice(1) : operands;
  const isWalk = reader.folders === "always" || reader.folders?.some(has) === true;
  const leavesHidden = reader.hidden !== undefined && !reader.hidden.some(has);
  if (!isWalk) return { files, folders: [], leavesHidden };
  return { files, folders: files.length === 0 ? [HERE] : files, leavesHidden };
}

/** `set -e`, `set -euo pipefail`: only make the line stop earlier. */
function isStricter(_: ReadOptions, words: readonly ShellWord[]): boolean {
  return /^-[eu]+$|^-[eu]*o pipefail$|^-[eu]+ -o pipefail$/.test(words.map(({ text }) => text).join(" "));
}

/** `less +!make` runs a command. */
function hasNoCommand({ operands }: ReadOptions): boolean {
  return operands.every(({ text }) => !text.startsWith("+"));
}
