/**
 * What the command line asks for.
 *
 * @typedef {{
 *   quick: boolean, once: boolean, keep: boolean, generate: boolean, help: boolean,
 *   only: readonly string[], sizes: readonly string[], json: string | undefined,
 * }} Options
 */
import { parseArgs } from "node:util";

export const ALL_SIZES = ["1k", "10k", "100k", "200k", "1M", "2gb"];
const QUICK_SIZES = ["1k", "10k"];
/** Only used if named, because they take long. */
const LARGE_SIZES = ["10M"];

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} cases names that --only may give
 * @returns {{ kind: "run", options: Options } | { kind: "wrong", words: string }}
 */
export function parseOptions(args, cases) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean", default: false },
        once: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        generate: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        only: { type: "string" },
        sizes: { type: "string" },
        json: { type: "string" },
      },
    });
    const { only, sizes, json, ...flags } = values;
    const options = {
      ...flags,
      quick: flags.quick || flags.once,
      json,
      only: chosen("--only", only, cases) ?? cases,
      sizes:
        chosen("--sizes", sizes, [...ALL_SIZES, ...LARGE_SIZES]) ??
        (flags.quick && !flags.once ? QUICK_SIZES : ALL_SIZES),
    };
    return { kind: "run", options };
  } catch (error) {
    return { kind: "wrong", words: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @param {string} option
 * @param {string | undefined} list
 * @param {readonly string[]} allowed
 */
function chosen(option, list, allowed) {
  if (list === undefined) return undefined;
  const names = list.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !allowed.includes(name));
  if (wrong !== undefined) throw new Error(`${option} does not know "${wrong}"; it takes ${allowed.join(", ")}`);
  return names;
}

/**
 * How much of something this run takes.
 *
 * @template Amount
 * @param {Options} options
 * @param {{ full: Amount, quick: Amount, once: Amount }} amounts
 */
export function amount(options, { full, quick, once }) {
  if (options.once) return once;
  return options.quick ? quick : full;
}

/** How large a folder to search is, in MB. @param {Options} options */
export function searchMegabytes(options) {
  return amount(options, { full: 1024, quick: 64, once: 1 });
}

/** @param {readonly string[]} cases */
export function helpText(cases) {
  return `npm run bench -- [options]

Measures the built library beside the raw limits of the machine and checks the budgets.

  --only <case,...>   ${cases.join(", ")}
  --sizes <size,...>  ${ALL_SIZES.join(", ")}; for stores also ${LARGE_SIZES.join(", ")}
  --quick             up to 10k entries and a small search folder: a check that everything runs, in a minute
  --once              every case once with very little data, nothing judged, no results but those of --json: does it run?
  --generate          only write the data the chosen cases need
  --json <file>       results to this file too (always: bench/results/latest.json)
  --keep              keep the scratch copies in bench/data/scratch, and filled databases in the temporary folder
  --help

Environment:
  BOUGH_BENCH_OTHER        a directory with another implementation of the same API, measured side by side
  BOUGH_BENCH_OTHER_ENTRY  its module: a path inside that directory, or the name of a package installed there
  BOUGH_BENCH_RG           path of rg, where it is not on the PATH

Exit code: 0 all measured budgets within twice their limit, 1 one is further off or a result was wrong, 2 wrong usage.
`;
}
