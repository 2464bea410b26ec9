import { listFolder } from "../generate/catalogue.mjs";
import { amount } from "../options.mjs";
import { formatBytes, formatCount } from "../report/format.mjs";
import { forEach } from "./case.mjs";

/**
 * Listing the sessions of a folder: the time, and that it skips the middle of files.
 *
 * @type {import("./case.mjs").Case}
 */
export const list = {
  name: "list",
  says: "list() of 1,000 files; the bytes it reads must not grow with the files",
  data: [],
  folders: ({ options, progress }) => [
    listFolder({ files: amount(options, { full: 1000, quick: 100, once: 4 }), entries: 100, progress }),
    listFolder({ files: amount(options, { full: 100, quick: 20, once: 2 }), entries: 500, progress }),
  ],
  run: (bench) => {
    const [normal, long] = (list.folders?.(bench) ?? []).map((folder) => measureList(bench, folder));
    if (normal === undefined || long === undefined) return;
    const growth = long / normal;
    bench.judge("list", Number.isFinite(growth) ? growth : undefined, `${formatBytes(normal)} of a file`);
  },
};

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {import("../generate/data-set.mjs").DataFolder} folder
 * @returns {number | undefined} bytes that this library read of each file
 */
function measureList(bench, { dir, cwd, files, bytes }) {
  const data = `${formatCount(files)} files (${formatBytes(bytes / files)} each)`;
  const jobs = [
    { who: "limit", what: "stat, head and tail", task: "raw-head-tail", input: { dir }, expect: files },
    ...forEach(bench, { what: "list", task: "list", input: { dir, cwd }, expect: files }),
  ];
  const [limit, ...lists] = bench.measure({ case: "list", data, jobs });
  /** @type {number | undefined} */
  let ours;
  for (const outcome of lists) {
    if (outcome === undefined) continue;
    bench.compare(outcome, limit);
    const each = outcome.extra("bytes").median / files;
    outcome.row.note = Number.isFinite(each)
      ? `read ${formatBytes(each)} of each file`
      : "bytes read: not counted here";
    if (outcome.row.who === "bough") ours = each;
  }
  return ours;
}
