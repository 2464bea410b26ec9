import { foreignHome } from "../generate/foreign/foreign-home.mjs";
import { amount } from "../options.mjs";
import { formatBytes, formatCount } from "../report/format.mjs";

/** Every tenth transcript grows between two lists. */
const CHANGED = 10;

/** Lists of and searches in the transcripts of other agents, as processes. @type {import("./case.mjs").Case} */
export const foreignLists = {
  name: "foreign-lists",
  says: "bough ls --all-agents again after a tenth of the files grew, and bough search --all-agents for an absent word",
  data: [],
  folders: ({ options, progress }) => [
    foreignHome({ files: amount(options, { full: 180, quick: 12, once: 3 }), progress }),
  ],
  run: (bench) => {
    const [folder] = foreignLists.folders?.(bench) ?? [];
    if (folder === undefined) return;
    const { dir, files, bytes, paths } = /** @type {import("../generate/foreign/foreign-home.mjs").ForeignHome} */ (
      folder
    );
    // Just copied, files are read every time.
    const settle = !bench.options.once;
    const changed = paths.filter((_, i) => i % CHANGED === 0);
    const [program, empty, read, readChanged, first, again, grown, search] = bench.measure({
      case: "foreign-lists",
      data: `${formatCount(files)} transcripts (${formatBytes(bytes)})`,
      repeats: 7,
      jobs: [
        job("limit", "bough --version", { dir, run: ["--version"] }),
        job("limit", "ls --all-agents in an empty home", { dir, run: ["ls", "--all-agents"], home: "empty" }),
        job("limit", "read the bytes", { dir, paths }),
        job("limit", "read what changed", { dir, paths: changed }),
        job("bough", "ls --all-agents, first", { dir, run: LIST, lines: files + 1 }),
        job("bough", "ls --all-agents, again", { dir, run: LIST, before: LIST, settle, lines: files + 1 }),
        job("bough", "ls --all-agents, again, a tenth grew", {
          ...{ dir, run: LIST, before: LIST, settle, lines: files + 1 },
          grow: changed,
        }),
        job("bough", "search --all-agents, absent word", { dir, run: SEARCH, before: LIST, settle, lines: 0, code: 1 }),
      ],
    });
    if (!program || !empty || !read || !readChanged || !first || !again || !grown || !search) return;
    bench.compare(again, read);
    bench.compare(grown, read);
    bench.compare(search, read);
    // Small files do not show what these budgets are about.
    if (bench.options.quick) return;
    // The start of the program is not part of the work.
    const beyond = (
      /** @type {import("../bench.mjs").Outcome} */ outcome,
      /** @type {import("../bench.mjs").Outcome} */ start,
    ) => Math.max(0, outcome.extra("cpu").median - start.extra("cpu").median);
    const note = "CPU time beyond an empty home";
    bench.judge("foreign-ls", beyond(grown, empty) / readChanged.extra("cpu").median, note);
    bench.judge("foreign-search", beyond(search, program) / read.extra("cpu").median, "CPU time beyond --version");
  },
};

const LIST = ["ls", "--all-agents"];
const SEARCH = ["search", "--all-agents", "zyxwvutsrq"];

/**
 * @param {string} who
 * @param {string} what
 * @param {Record<string, unknown>} input
 * @returns {import("../bench.mjs").Job}
 */
function job(who, what, input) {
  return { who, what, task: "foreign-lists", input, expect: "right" };
}
