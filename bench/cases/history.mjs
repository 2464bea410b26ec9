import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { NEEDLES, searchFolder } from "../generate/catalogue.mjs";
import { DATA } from "../generate/data-set.mjs";
import { writeForeign } from "../generate/foreign/transcripts.mjs";
import { amount, searchMegabytes } from "../options.mjs";
import { formatBytes, formatCount } from "../report/format.mjs";

const [HISTORY, AGENT, SESSION] = ["history", "agent", "session"].map(
  (room) => new URL(`../../dist/${room}/index.js`, import.meta.url).href,
);
const TRANSCRIPT = 10 * 2 ** 20;
const TRANSCRIPT_ONCE = 2 ** 17;

/** Questions to `bough mcp`, asked of a server that is already running. */
const QUESTIONS = [
  { what: "search: rare word", tool: "search", input: { words: NEEDLES.rare } },
  { what: "search: word in every session", tool: "search", input: { words: NEEDLES.spread } },
  { what: "search: phrase", tool: "search", input: { words: `"${NEEDLES.phrase}"` } },
  { what: "search: frequent word", tool: "search", input: { words: NEEDLES.frequent } },
  { what: "search: absent word", tool: "search", input: { words: "zyxwvutsrq" } },
  { what: "search: two words, rarely together", tool: "search", input: { words: `${NEEDLES.rare} ${NEEDLES.spread}` } },
  { what: "search: everyday words", tool: "search", input: { words: "parser timeout retry" } },
  { what: "tried: words", tool: "tried", input: { words: "parser timeout" } },
  {
    what: "tried: a question in other words",
    tool: "tried",
    input: { words: "did anyone attempt retrying parsers after their timeouts, without duplicating tokens?" },
  },
  {
    what: "tried: a question with a rare and an unknown word",
    tool: "tried",
    input: { words: `why was the ${NEEDLES.rare} so slow with zyxwvutsrq` },
  },
  { what: "tried: file", tool: "tried", input: { files: ["src/parser-token.ts"] } },
  { what: "tried: absent words", tool: "tried", input: { words: "zyxwvutsrq qrstuv" } },
  {
    what: "tried: error",
    tool: "tried",
    input: { error: "TypeError: cannot read the parser of undefined (reading 'token')" },
  },
  { what: "open: an entry in a long session", tool: "open", input: {} },
  { what: "sessions: newest", tool: "sessions", input: {} },
  { what: "sessions: words", tool: "sessions", input: { words: "refactor" } },
  { what: "blame: 400 lines of 100 steps", tool: "blame", input: {} },
  { what: "blame: one line", tool: "blame", input: { line: 200 } },
];

/** Answers of `bough mcp` from its index. @type {import("./case.mjs").Case} */
export const history = {
  name: "history",
  says: "answers of bough mcp over 1 GB of sessions of several agents, and the index they come from",
  data: [],
  folders: (bench) => [historyHome(bench)],
  run: (bench) => {
    const { dir: home, bytes, files } = historyHome(bench);
    const long = { rounds: 25, steps: 100 };
    const lengths = amount(bench.options, { full: long, quick: long, once: { rounds: 1, steps: 10 } });
    const data = `${formatCount(files)} sessions (${formatBytes(bytes)})`;
    const base = { history: HISTORY, agent: AGENT, session: SESSION, home, questions: QUESTIONS, ...lengths };
    const [built, asked] = bench.measure({
      case: "history",
      data,
      jobs: [
        {
          who: "bough",
          what: "build the index",
          task: "history",
          input: { ...base, mode: "build" },
          expect: files,
          once: true,
        },
        {
          who: "bough",
          what: "load the index",
          task: "history",
          input: { ...base, mode: "ask" },
          expect: files,
          once: true,
        },
      ],
    });
    if (built !== undefined) {
      const size = built.extra("index").median;
      built.row.note = `processor time ${(built.extra("cpu").median / 1000).toFixed(0)} s, index ${formatBytes(size)}, ${((100 * size) / bytes).toFixed(0)} % of the sessions`;
    }
    if (asked === undefined) return;
    /** @type {number[]} */
    const slowest = [];
    for (const [at, { what }] of QUESTIONS.entries()) {
      const [p50, p95] = [asked.extra(`p50 ${at}`).median, asked.extra(`p95 ${at}`).median];
      const time = { median: p50, min: asked.extra(`min ${at}`).median };
      // On a busy machine, processor time says more than elapsed time.
      const cpu = asked.extra(`cpu ${at}`).median;
      const note = `p95 ${p95.toFixed(1)} ms, processor time ${cpu.toFixed(1)} ms, ${asked.extra(`bytes ${at}`).median} bytes`;
      bench.rows.push({ case: "history", data, who: "bough", what, time: /** @type {any} */ (time), note });
      slowest.push(p95);
    }
    if (!bench.options.quick) bench.judge("history", Math.max(...slowest), "p95 of the slowest question");
  },
};

/**
 * A home folder: two thirds of it Bough's own sessions, the rest Claude Code's and Codex's.
 *
 * @param {import("../bench.mjs").Bench} bench
 * @returns {import("../generate/data-set.mjs").DataFolder}
 */
function historyHome({ options, progress }) {
  const megabytes = searchMegabytes(options);
  const own = searchFolder({ megabytes: Math.ceil(megabytes * 0.65), progress });
  const home = join(DATA, `history-${megabytes}-mb`);
  const others = Math.max(1, Math.round((megabytes * 0.175) / 10));
  const done = join(home, "done");
  if (!existsSync(done)) {
    progress(`writing ${home}`);
    rmSync(home, { recursive: true, force: true });
    mkdirSync(join(home, ".bough", "sessions"), { recursive: true, mode: 0o700 });
    symlinkSync(own.dir, join(home, ".bough", "sessions", "--home-dev-project--"));
    for (let n = 0; n < others; n++) {
      const claude = join(home, ".claude", "projects", `-home-dev-project-${n}`);
      const codex = join(home, ".codex", "sessions", "2025", "01", String(n + 1).padStart(2, "0"));
      for (const folder of [claude, codex]) mkdirSync(folder, { recursive: true });
      const bytes = options.once ? TRANSCRIPT_ONCE : TRANSCRIPT;
      writeForeign("claude-code", claude, { bytes, seed: 100 + n });
      writeForeign("codex", codex, { bytes, seed: 200 + n });
    }
    mkdirSync(done);
  }
  const foreign = others * 2;
  const bytes = own.bytes + foreignBytes(home);
  return {
    name: `history-${megabytes}-mb`,
    dir: home,
    cwd: own.cwd,
    // Plus one for `blame`, which the task writes.
    files: own.files + foreign + 1,
    entries: own.entries,
    bytes,
  };
}

/** @param {string} home */
function foreignBytes(home) {
  return [".claude", ".codex"]
    .flatMap((name) =>
      readdirSync(join(home, name), { recursive: true, encoding: "utf8" }).map((file) => join(home, name, file)),
    )
    .map((file) => statSync(file))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}
