/**
 * Programs that run or change the project's code anyway: a rule for one covers its arguments, except options that
 * choose another program, folder or configuration. Each entry follows the program's own way of parsing options.
 */
import type { ShellWord } from "../shell/shell-line.js";
import { GIT_RUNNERS } from "./git-runners.js";
import { optionTable } from "./option-table.js";
import type { Runner } from "./runner.js";

const NONE: Runner = {
  options: optionTable(""),
  chooses: [],
  isStrict: false,
  namesByOneDash: false,
  stops: false,
  needsOperand: false,
  runsOperand: false,
  refuses: undefined,
  dashes: "nothing",
  subcommands: undefined,
};

function runner(options: string, overrides: Partial<Runner> = {}): Runner {
  return { ...NONE, options: optionTable(`${options} --help --version`), ...overrides };
}

const STRICT = { isStrict: true } as const;
const FILE_OF_OPTIONS = /^@/;
const INSTALL =
  "--save --save-dev --no-save --save-exact --no-audit --no-fund --audit --fund --legacy-peer-deps --force --ignore-scripts --dry-run " +
  "--omit: --include: --production --frozen-lockfile --prefer-offline --offline --yes --no-progress --progress --json --long --parseable --depth: --all";
const NPM = runner(
  `-sqdfyDElP -w: --silent --quiet --verbose --if-present --workspace: --workspaces --include-workspace-root --loglevel: --color? --no-color --foreground-scripts ${INSTALL}`,
  {
    dashes: "others",
    chooses: list(
      "prefix script-shell node-options userconfig globalconfig global location call cwd dir editor viewer git init-module node-gyp use-node-version store-dir shell",
    ),
    subcommands: setOf(
      "test t tst run run-script rum urn start stop restart ci install i add uninstall remove rm ls list outdated view info audit fund dedupe prune why explain pack version help-search search rebuild update up",
    ),
  },
);
const SCRIPT = { isStrict: true, stops: true, needsOperand: true, refuses: /^-$/, dashes: "others" } as const;
const NODE_OPTIONS =
  "--test --test-only --test-name-pattern% --test-skip-pattern% --test-concurrency: --test-timeout: --test-force-exit --test-shard: --test-isolation: " +
  "--watch --watch-preserve-output --no-warnings --enable-source-maps --experimental-strip-types --experimental-transform-types --experimental-test-coverage " +
  "--experimental-test-module-mocks --max-old-space-size? --expose-gc --trace-warnings --trace-deprecation --no-deprecation --throw-deprecation --unhandled-rejections: --stack-trace-limit? -v";
const TSX_OPTIONS = "--watch --no-warnings --no-cache --clear-screen? --enable-source-maps -v";
const TSC: Runner = runner(
  "-wvh --noemit --watch --pretty? --skiplibcheck? --strict? --all --incremental? --listfiles --listfilesonly --showconfig --nocolor --preservewatchoutput --diagnostics --extendeddiagnostics --explainfiles --noerrortruncation --emitdeclarationonly --declaration --target: --module: --moduleresolution: --jsx: --lib: --esmoduleinterop --allowjs --checkjs --nounusedlocals --nounusedparameters --isolatedmodules --force --dry",
  { isStrict: true, namesByOneDash: true, refuses: FILE_OF_OPTIONS },
);
const GO_OPTIONS =
  "-vxnauhp -p: --run: --race --cover --covermode: --count: --short --timeout: --bench: --benchmem --benchtime: --parallel: --failfast --json --tags: --mod: --list: --shuffle: --skip: --fullpath --trimpath --cpu: --test.v --test.run: --m --u --deps --f:";
const UV_RUN =
  "-qv --quiet --verbose --frozen --locked --no-sync --all-extras --all-groups --no-dev --dev --only-dev --offline --group: --extra: --no-progress";

const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: NPM,
  pnpm: runner(
    `-rswDEPF -F: --filter: --recursive --silent --parallel --workspace-root --if-present --no-bail --bail --stream --aggregate-output --reporter-hide-prefix --workspace-concurrency: --sort --no-sort --reverse --resume-from: ${INSTALL}`,
    NPM_LIKE("exec dlx create init config set env setup link patch deploy"),
  ),
  yarn: runner(
    `-sWDEPT --silent --verbose --json --immutable --frozen-lockfile ${INSTALL}`,
    NPM_LIKE("exec dlx create init config set link node plugin"),
  ),
  bun: runner(
    `-bDE --silent --watch --hot --smol --bun --coverage --bail? --timeout: --rerun-each: --only --todo -t% --test-name-pattern% --update-snapshots -u ${INSTALL}`,
    {
      ...NPM_LIKE("x create init link"),
      chooses: list("preload config cwd define eval print require import env-file"),
    },
  ),
  npx: runner("-yq --yes --no --no-install --quiet", {
    isStrict: true,
    stops: true,
    runsOperand: true,
    needsOperand: true,
  }),
  bunx: runner("--bun --silent", { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  // `node inspect` starts a debugger for another program.
  node: runner(NODE_OPTIONS, { ...SCRIPT, refuses: /^(?:-|inspect)$/ }),
  tsx: runner(TSX_OPTIONS, { ...SCRIPT, refuses: /^(?:-|repl)$/ }),
  "tsx watch": runner(TSX_OPTIONS, SCRIPT),
  "ts-node": runner("-TvH --transpile-only --files --swc --esm -v", SCRIPT),
  python: runner("-uBEsSOVhbdIqx", SCRIPT),
  deno: runner(
    "-qr --quiet --check --no-check --watch --unstable? --allow-read? --allow-net? --no-prompt --coverage? --filter: --fail-fast? --parallel",
    {
      isStrict: true,
      subcommands: setOf("test check lint fmt info types"),
    },
  ),
  uv: runner(
    "-qv --quiet --verbose --frozen --locked --all-extras --all-groups --no-dev --dev --upgrade --check --dry-run --offline --group: --extra: --no-progress",
    {
      chooses: list("python script with project directory"),
      subcommands: setOf("run sync lock add remove tree pip version export build venv"),
    },
  ),
  "uv run": runner(UV_RUN, { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  "poetry run": runner("", { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  "pipenv run": runner("", { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  "bundle exec": runner("", { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  "npm exec": runner("-y --yes --no", { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  "pnpm exec": runner("", { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  "yarn exec": runner("", { isStrict: true, stops: true, runsOperand: true, needsOperand: true }),
  make: runner(
    "-kniBsSdwrRqtv -j? -l? -O? --jobs? --keep-going --no-keep-going --dry-run --just-print --silent --quiet --always-make --no-print-directory --print-directory --trace --question --touch --no-builtin-rules --output-sync? --load-average?",
    { isStrict: true, refuses: /=/, dashes: "operands" },
  ),
  pytest: runner(
    "-xqvslhV -k% -m% -n: -r: -# --exitfirst --maxfail: --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --stepwise-skip --tb: --durations: --durations-min: --collect-only --co --markers --fixtures --no-header --no-summary --showlocals --capture: --verbose --quiet --strict-markers --disable-warnings --disable-pytest-warnings --no-cov --cov? --cov-branch --cov-fail-under: --cov-append --setup-show --setup-only --setup-plan --ignore: --ignore-glob: --deselect: --numprocesses: --timeout: --asyncio-mode: --color: --runxfail --cache-clear --cache-show? --reruns: --snapshot-update --pdb",
    {
      chooses: list(
        "tx px dist rsyncdir junitxml junit-xml basetemp rootdir confcutdir pyargs debug trace-config pastebin pdbcls ds dc alluredir json",
      ),
      refuses: FILE_OF_OPTIONS,
    },
  ),
  vitest: runner(
    "-twuhv -t% --watch? --run --ui? --coverage? --update --silent? --hide-skipped-tests --pass-with-no-tests --passwithnotests --test-name-pattern% --testnamepattern% --bail? --retry: --changed? --shard: --no-color --color --globals --dom --isolate --no-isolate --logheapusage --allowonly --no-file-parallelism --test-timeout: --testtimeout: --hook-timeout: --hooktimeout: --max-workers: --maxworkers: --min-workers: --minworkers: --max-concurrency: --project: --typecheck --expand-snapshot-diff --clearmocks",
    {
      chooses: list(
        "config root dir output-file outputfile global-setup globalsetup environment pool browser api mode diff runner workspace alias deps sequence",
      ),
      subcommands: setOf("run watch dev related list"),
    },
  ),
  jest: runner(
    "-ibtuohvwef -t% -w: -o --bail? --ci --coverage --verbose --silent --watch --watch-all --watchall --no-watchman --runinband --run-in-band --test-name-pattern% --testnamepattern% --test-path-pattern: --testpathpattern: --pass-with-no-tests --passwithnotests --only-changed --update-snapshot --updatesnapshot --max-workers: --maxworkers: --detect-open-handles --detectopenhandles --force-exit --forceexit --shard: --expand --no-cache --clear-cache --list-tests --listtests --json --changed-since: --test-timeout: --testtimeout: --find-related-tests --findrelatedtests",
    {
      chooses: list(
        "config root-dir rootdir roots projects preset env runner resolver globals filter test-sequencer dependency-extractor snapshot-serializers haste",
      ),
    },
  ),
  mocha: runner(
    "-bAcjwpgfi -g% -f% -t: -s: -u: --bail --grep% --fgrep% --invert --timeout: --slow: --parallel --jobs: --watch --recursive --exit --colors --no-colors --forbid-only --retries: --ui:",
    STRICT,
  ),
  cargo: runner(
    "-vqrn -j: -p: -F: --release --verbose --quiet --workspace --all --package: --exclude: --lib --bins --bin: --examples --example: --tests --test: --benches --bench: --all-targets --features: --all-features --no-default-features --jobs: --keep-going --profile: --no-run --no-fail-fast --doc --locked --offline --frozen --message-format: --color: --fix --allow-dirty --allow-staged --check --no-deps --document-private-items --open --dev --dry-run --depth: --invert: --edges: --duplicates --format: --precise: --vers:",
    {
      isStrict: true,
      dashes: "others",
      refuses: /^\+/,
      subcommands: setOf(
        "build b check c test t run r clippy fmt doc d bench tree metadata update clean fetch add remove search fix nextest",
      ),
    },
  ),
  go: runner(GO_OPTIONS, {
    isStrict: true,
    namesByOneDash: true,
    subcommands: setOf("build test vet fmt list doc version mod install get clean run"),
  }),
  // With a version it runs a package from elsewhere.
  "go run": runner(GO_OPTIONS, { isStrict: true, namesByOneDash: true, stops: true, refuses: /@/ }),
  tsc: TSC,
  tsgo: TSC,
  "vue-tsc": TSC,
  eslint: runner(
    "-h --quiet --max-warnings: --ext: --no-warn-ignored --color --no-color --fix-dry-run --fix-type: --cache --no-cache --report-unused-disable-directives --no-error-on-unmatched-pattern --ignore-pattern: --no-ignore --debug --stats --exit-on-fatal-error --pass-on-no-patterns",
    {
      isStrict: true,
    },
  ),
  prettier: runner(
    "-clu --check --list-different --ignore-unknown --log-level: --loglevel: --cache --no-color --no-error-on-unmatched-pattern --tab-width: --use-tabs --single-quote --no-semi --print-width: --trailing-comma:",
    STRICT,
  ),
  biome: runner(
    "--colors: --verbose --max-diagnostics: --diagnostic-level: --error-on-warnings --no-errors-on-unmatched --changed --staged --since: --files-ignore-unknown: --skip: --only:",
    { isStrict: true, subcommands: setOf("check lint format ci version") },
  ),
  ruff: runner(
    "-qvsnewh --fix --no-fix --unsafe-fixes --no-unsafe-fixes --diff --check --select: --ignore: --extend-select: --line-length: --preview --no-preview --no-cache --statistics --show-fixes --watch --quiet --verbose --silent --exit-zero --output-format: --target-version: --exclude: --range: --add-noqa",
    {
      isStrict: true,
      subcommands: setOf("check format rule linter version clean"),
    },
  ),
  mypy: runner(
    "-vhV -p: -m: --strict --ignore-missing-imports --no-error-summary --pretty --show-error-codes --hide-error-codes --show-column-numbers --show-error-context --no-incremental --check-untyped-defs --disallow-untyped-defs --warn-unused-ignores --explicit-package-bases --namespace-packages --follow-imports: --python-version: --exclude: --disable-error-code: --enable-error-code: --install-types --non-interactive",
    {
      isStrict: true,
      refuses: FILE_OF_OPTIONS,
    },
  ),
  curl: runner(
    "-sSfLIivkgGN46j -H:: -X: -d:: -m: -u:: -A:: -e: --silent --show-error --fail --fail-with-body --location --head --include --verbose --insecure --compressed --header:: --request: --data:: --data-raw:: --data-binary:: --data-urlencode:: --json:: --max-time: --connect-timeout: --retry: --retry-delay: --retry-connrefused --user: --user-agent: --url: --get --http1.1 --http2 --no-progress-meter --ipv4 --ipv6",
    STRICT,
  ),
  wget: runner(
    "-qSvdnNc46 -t: -T: --quiet --no-verbose --spider --server-response --timeout: --tries: --no-check-certificate --header: --timestamping --continue",
    STRICT,
  ),
  ssh: runner("-46qvTtnNfaxCAk -p: -i: -l:", { isStrict: true, stops: true }),
  scp: runner("-rpqvC46 -P: -i: -l:", STRICT),
  rsync: runner(
    "-avzrlptgoDnhuPWcxHASEiq --archive --verbose --compress --recursive --delete --dry-run --exclude: --include: --progress --stats --human-readable --checksum --update --partial --info: --size-only --itemize-changes --links --times --perms --bwlimit: --max-size: --min-size:",
    STRICT,
  ),
  kubectl: runner(
    "-itwARp -n: -o: -l: -c: -f: --namespace: --output: --selector: --container: --all-namespaces --watch --follow --tail: --since: --previous --all --show-labels --no-headers --dry-run: --wait --timeout: --replicas: --image: --field-selector: --sort-by: --all-containers --timestamps",
    { isStrict: true, dashes: "others" },
  ),
  zip: runner("-rqvjufXyD0123456789 -x: -i: -q", STRICT),
  split: runner(
    "-dxeuv -l: -b: -n: -a: -C: --bytes: --lines: --line-bytes: --number: --suffix-length: --numeric-suffixes? --additional-suffix: --verbose",
    STRICT,
  ),
  yq: runner(
    "-rPeNMCn -o: -p: -I: --unwrapScalar? --prettyPrint --output-format: --input-format: --no-colors --colors --null-input --exit-status",
    { isStrict: true, refuses: /\bload|\beval|\bsystem/ },
  ),
  ag: runner(
    "-iswQlLcnovaSuUtrf0 -A: -B: -C: -g: -m: -G: --nogroup --group --color --nocolor --hidden --ignore: --ignore-dir: --literal --depth: --files-with-matches --count --stats",
    STRICT,
  ),
  ack: runner(
    "-iwQlLcnhHvosrR -A: -B: -C: -m: --nogroup --group --color --nocolor --type: --ignore-dir: --nofilter --literal",
    STRICT,
  ),
  sdiff: runner("-abBdEilstWHZ -w: -I: --ignore-case --width: --suppress-common-lines --left-column", STRICT),
  diff3: runner("-aAeEimTxX3 -L: --merge --show-all --text", STRICT),
  xmllint: runner("--noout --format --nonet --html --xpath: --huge --recover", {
    isStrict: true,
    namesByOneDash: true,
  }),
  tee: runner("-aip --append --ignore-interrupts", STRICT),
  mktemp: runner("-dqu --directory --quiet --suffix:", STRICT),
  ...GIT_RUNNERS,
};

const ALIASES: Readonly<Record<string, string>> = {
  ...{
    python3: "python",
    python2: "python",
    nodejs: "node",
    gmake: "make",
    "py.test": "pytest",
    pnpx: "npx",
    uvx: "npx",
    gtsc: "tsc",
  },
};

export function runnerFor(name: string): Runner | undefined {
  const known = Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name.replace(/^python3\.\d+$/, "python");
  return Object.hasOwn(RUNNERS, known) ? RUNNERS[known] : undefined;
}

/** Words in the name of an option that suggest it chooses something. Also matches parts of names and prefixes. */
const CHOOSING = list(
  "config conf cfg rc ini setting prefix root dir folder path cwd chdir file exec shell command cmd call script require import load " +
    "plugin preset process reporter formatter setup teardown env environment output outfile dump log cache module resolve transform runner " +
    "provider project manifest target eval print node interpreter python registry url uri userconfig globalconfig editor viewer browser " +
    "pack hook template with package from source index host port inspect proxy trace profile junit xml html report result artifact save write " +
    "patch init override define use yarnrc toolchain rustc linker extension tool bin binary compiler wrapper launcher engine agent " +
    "global location store mirror cert key token auth",
);
/** Values that name something built in. */
const BUILT_IN_VALUES = new Set(
  list(
    "default verbose dot basic tap tap-flat spec list line progress minimal silent json github-actions hanging-process tree stylish compact concise full short text term term-missing jsdom node happy-dom threads forks v8 istanbul",
  ),
);
const WITH_BUILT_IN_VALUES = new Set(
  list("reporter reporters cov-report format output-format pool environment env coverage-provider log-level tb"),
);

/** Common options that choose nothing. */
const HARMLESS = new Set(
  list("run watch coverage verbose silent quiet bail ci debug update color colors json fix strict only parallel"),
);

const PLAIN_VALUE = /^(?:|\d+(?:\.\d+)?%?|true|false|yes|no|on|off|auto|none|all|always|never)$/;

/** Whether an option that is not in the table looks harmless, by its name and its value. */
export function choosesNothing(text: string, next: ShellWord | undefined, { chooses }: Runner): boolean {
  const [, written = "", value] = /^--([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (written === "") return false;
  const name = written
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/^(?:no-)+/, "");
  if (name === "") return false;
  const given = value ?? (next?.literal === true && !next.text.startsWith("-") ? next.text : "");
  if (WITH_BUILT_IN_VALUES.has(name) && BUILT_IN_VALUES.has(given)) return true;
  if (HARMLESS.has(name) && value === undefined && !chooses.includes(name)) return true;
  if (chooses.some((one) => one.startsWith(name) || name.startsWith(`${one}-`))) return false;
  const joined = name.replaceAll("-", "");
  const parts = name.split("-");
  if (CHOOSING.some((one) => (one.length > 3 && joined.includes(one)) || parts.some((part) => isBeginning(part, one))))
    return false;
  // Whatever the name of the option, its value may be a file to write.
  return (next?.literal !== false || value !== undefined) && PLAIN_VALUE.test(given);
}

function isBeginning(part: string, word: string): boolean {
  return part.length > 1 && (word.startsWith(part) || part.startsWith(word));
}

function NPM_LIKE(others: string): Partial<Runner> {
  const excluded = setOf(others);
  const subcommands = new Set([...(NPM.subcommands ?? [])].filter((name) => !excluded.has(name)));
  return {
    dashes: "others",
    chooses: [...NPM.chooses, "use-yarnrc", "modules-dir", "virtual-store-dir", "lockfile-dir", "workspace-dir"],
    subcommands,
  };
}

function list(text: string): readonly string[] {
  return text.split(" ");
}

function setOf(text: string): ReadonlySet<string> {
  return new Set(list(text));
}
