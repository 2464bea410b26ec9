import { workTree } from "../generate/work-tree.mjs";
import { amount } from "../options.mjs";
import { formatBytes, formatCount } from "../report/format.mjs";

const door = (/** @type {string} */ room) => new URL(`../../dist/${room}/index.js`, import.meta.url).href;
const CHECKPOINT = door("checkpoint");

/** Files that follow the tree: the cost of scanning, restoring and storing them. @type {import("./case.mjs").Case} */
export const files = {
  name: "files",
  says: "scans of 50,000 and 400,000 files beside git status, a first look beside cp -r, restores beside writing, the store beside a shadow git",
  data: [],
  run: (bench) => {
    for (const count of amount(bench.options, { full: [50_000, 400_000], quick: [2000], once: [60] }))
      scans(bench, count);
    for (const count of amount(bench.options, { full: [10_000, 200_000], quick: [500], once: [60] }))
      firstLook(bench, count);
    addedWait(bench);
    restores(bench);
    storeOfADay(bench);
  },
};

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {number} count
 */
function scans(bench, count) {
  const { progress } = bench;
  const git = workTree({ files: count, kind: "git", progress });
  const folder = workTree({ files: count, kind: "folder", progress });
  const job = (/** @type {string} */ what, /** @type {string} */ by, /** @type {string} */ root) => ({
    who: by === "git status" ? "limit" : "bough",
    what,
    task: "files-scan",
    input: { root, by, checkpoint: CHECKPOINT, files: count, kept: `${folder.root}.store` },
    expect: 3,
  });
  const [status, inGit, without] = bench.measure({
    case: "files",
    data: `${formatCount(count)} files`,
    repeats: 3,
    jobs: [
      job("git status --porcelain", "git status", git.root),
      job("scan with git", "git", git.root),
      job("scan without git", "folder", folder.root),
    ],
  });
  const ratio = bench.compare(inGit, status);
  const folderRatio = bench.compare(without, status);
  const perFile = Math.max(...[inGit, without].map((one) => one?.extra("bytesPerFile").median ?? Number.NaN));
  for (const one of [inGit, without]) {
    if (one === undefined) continue;
    one.row.note = `blocks ${one.extra("block").median.toFixed(0)} ms at most, ${one.extra("bytesPerFile").median.toFixed(0)} bytes a file`;
  }
  if (count === 50_000) {
    bench.judge("files-scan", ratio);
    bench.judge("files-scan-folder", folderRatio);
  }
  if (count === 400_000) {
    bench.judge("files-scan-400k", inGit?.time.median);
    bench.judge("files-scan-folder-400k", without?.time.median);
    bench.judge("files-memory", perFile);
  }
}

/**
 * Many small files that are not in git.
 *
 * @param {import("../bench.mjs").Bench} bench
 * @param {number} count
 */
function firstLook(bench, count) {
  const { root } = workTree({ files: count, kind: "varied", progress: bench.progress });
  const job = (/** @type {string} */ what, /** @type {string} */ by) => ({
    who: by === "cp" ? "limit" : "bough",
    what,
    task: "files-first",
    input: {
      root,
      by,
      checkpoint: CHECKPOINT,
      // A getter, because every repeat needs a folder of its own.
      get folder() {
        return bench.scratch();
      },
    },
    expect: "stored",
  });
  const [copy, look] = bench.measure({
    case: "files",
    data: `${formatCount(count)} files of 750 bytes`,
    repeats: count > 100_000 ? 1 : 5,
    jobs: [job("cp -r", "cp"), job("first look without git", "look")],
  });
  const ratio = bench.compare(look, copy);
  for (const one of [copy, look]) {
    if (one !== undefined) one.row.note = `${formatBytes(one.extra("disk").median)} of disk`;
  }
  if (count === 10_000) {
    bench.judge("files-first", ratio);
    bench.judge(
      "files-first-disk",
      look === undefined ? undefined : look.extra("disk").median / look.extra("bytes").median,
    );
  }
}

/** @param {import("../bench.mjs").Bench} bench */
function addedWait(bench) {
  const count = amount(bench.options, { full: 50_000, quick: 2000, once: 60 });
  const { root } = workTree({ files: count, kind: "git", progress: bench.progress });
  const input = {
    root,
    agent: door("agent"),
    session: door("session"),
    rounds: bench.options.quick ? 1 : 5,
    calls: bench.options.once ? 2 : 6,
    thinks: bench.options.once ? 1 : 500,
  };
  const [wait] = bench.measure({
    case: "files",
    data: `${formatCount(count)} files`,
    jobs: [
      {
        who: "bough",
        what: "added wait of a shell command",
        task: "files-wait",
        input,
        expect: "recorded",
        once: true,
      },
    ],
  });
  if (wait === undefined) return;
  const [on, off] = ["on", "off"].map((name) => wait.extra(name).median.toFixed(0));
  wait.row.note = `a step takes ${on} ms, without files ${off} ms`;
  if (count === 50_000) bench.judge("files-wait", wait.time.median);
}

/** @param {import("../bench.mjs").Bench} bench */
function restores(bench) {
  const many = [
    { files: 100, rounds: 40 },
    { files: 10_000, rounds: 4 },
  ];
  const few = { quick: [{ files: 100, rounds: 10 }], once: [{ files: 20, rounds: 1 }] };
  for (const { files: count, rounds } of amount(bench.options, { full: many, ...few })) {
    const [done] = bench.measure({
      case: "files",
      data: `${formatCount(count)} files of 8 KB`,
      repeats: 3,
      jobs: [restoreJob(bench, { files: count, rounds })],
    });
    if (done === undefined) continue;
    const { case: name, data } = done.row;
    const [write, plan, restore] = ["write", "plan", "restore"].map((what) => done.extra(what));
    if (write === undefined || plan === undefined || restore === undefined) continue;
    bench.rows.push({ case: name, data, who: "limit", what: "write the files", time: write });
    bench.rows.push({ case: name, data, who: "bough", what: "plan", time: plan });
    done.row.ratio = restore.median / write.median;
    done.row.against = "write the files";
    if (count === 100) bench.judge("files-restore", done.row.ratio);
  }
}

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {Record<string, unknown>} input
 */
function restoreJob(bench, input) {
  // A getter, because every repeat needs a folder of its own.
  const given = {
    ...input,
    bytes: 8000,
    checkpoint: CHECKPOINT,
    get folder() {
      return bench.scratch();
    },
  };
  return { who: "bough", what: "restore", task: "files-restore", input: given, expect: "restored" };
}

/** @param {import("../bench.mjs").Bench} bench */
function storeOfADay(bench) {
  const { files, steps } = amount(bench.options, {
    full: { files: 2000, steps: 300 },
    quick: { files: 200, steps: 40 },
    once: { files: 20, steps: 5 },
  });
  const input = { folder: bench.scratch(), checkpoint: CHECKPOINT, files, steps };
  const [day] = bench.measure({
    case: "files",
    data: `${formatCount(files)} files, ${steps} steps`,
    jobs: [{ who: "bough", what: "a day of work", task: "files-store", input, expect: "kept", once: true }],
  });
  if (day === undefined) return;
  const size = (/** @type {string} */ name) => day.extra(name).median;
  delete day.row.time;
  delete day.row.peak;
  day.row.note = [
    `store ${formatBytes(size("bytes"))} (${formatBytes(size("disk"))} on disk)`,
    `compressed changes ${formatBytes(size("compressed"))}`,
    `shadow git ${formatBytes(size("loose"))} (${formatBytes(size("looseDisk"))} on disk), after gc ${formatBytes(size("packed"))}`,
  ].join("; ");
  bench.judge("files-store", size("bytes") / size("compressed"));
}
