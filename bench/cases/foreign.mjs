import { foreignTranscripts } from "../generate/foreign/transcripts.mjs";
import { amount } from "../options.mjs";
import { formatBytes } from "../report/format.mjs";

const INTEROP = new URL("../../dist/interop/index.js", import.meta.url).href;

/** Other agents' transcripts, opened in place. @type {import("./case.mjs").Case} */
export const foreign = {
  name: "foreign",
  says: "transcripts of other agents of 500 MB each, opened until their tree is there",
  data: [],
  folders: ({ options, progress }) =>
    foreignTranscripts({ megabytes: amount(options, { full: 500, quick: 10, once: 0.25 }), progress }),
  run: (bench) => {
    const { quick } = bench.options;
    /** @type {number[]} */
    const shares = [];
    const transcripts = /** @type {import("../generate/foreign/transcripts.mjs").Transcript[]} */ (
      foreign.folders?.(bench)
    );
    for (const { name, path, bytes, entries } of transcripts) {
      const lines = path.endsWith(".jsonl");
      const parse = {
        who: "limit",
        what: "JSON.parse of every line",
        task: "raw-parse",
        input: { path },
        expect: entries,
      };
      const [read, opened, parsed] = bench.measure({
        case: "foreign",
        data: `${name} (${formatBytes(bytes)})`,
        bytes: quick ? 0 : Number.POSITIVE_INFINITY,
        jobs: [
          { who: "limit", what: "read the bytes", task: "raw-read", input: { path }, expect: bytes },
          { who: "bough", what: "open, tree", task: "foreign", input: { interop: INTEROP, path }, expect: entries },
          ...(lines ? [parse] : []),
        ],
      });
      bench.compare(opened, parsed ?? read);
      if (opened !== undefined) shares.push(opened.peak / bytes);
    }
    // Small files do not show what this budget is about.
    if (quick || shares.length === 0) return;
    bench.judge("foreign-memory", Math.max(...shares));
  },
};
