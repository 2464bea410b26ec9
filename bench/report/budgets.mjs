/**
 * The budgets: ratios of two things measured in one run; for the terminal, milliseconds a person would notice.
 *
 * @typedef {"met" | "missed" | "missed by more than 2x" | "not measured"} Verdict
 * @typedef {{ id: string, says: string, limit: number, unit: "x" | "bytes" | "ms" | "rows", wants: "at most" | "at least" }} Budget
 */

/** @type {readonly Budget[]} */
export const BUDGETS = [
  {
    id: "open-real",
    says: "cold open of 100k real entries / reading and finding newlines",
    limit: 2,
    unit: "x",
    wants: "at most",
  },
  {
    id: "open-small",
    says: "cold open of 1M small entries / reading and finding newlines",
    limit: 5,
    unit: "x",
    wants: "at most",
  },
  {
    id: "open-faster",
    says: "JSON.parse of every line / cold open, 100k real entries: time",
    limit: 10,
    unit: "x",
    wants: "at least",
  },
  {
    id: "open-lighter",
    says: "JSON.parse of every line / cold open, 100k real entries: memory",
    limit: 5,
    unit: "x",
    wants: "at least",
  },
  {
    id: "everyday",
    says: "open, context and 20 appends with 1,000 uncompacted entries: this library / the other implementation",
    limit: 0.5,
    unit: "x",
    wants: "at most",
  },
  {
    id: "context-after-append",
    says: "the same session: the context again after one append",
    limit: 0.3,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "uncompacted-again",
    says: "10,000 and 100,000 uncompacted entries: the context again after one append / the first",
    limit: 0.05,
    unit: "x",
    wants: "at most",
  },
  { id: "append", says: "append / JSON.stringify and a bare write", limit: 1.3, unit: "x", wants: "at most" },
  {
    id: "append-beside",
    says: "appends in the same time: this library / the other implementation",
    limit: 1.15,
    unit: "x",
    wants: "at least",
  },
  {
    id: "branch-burst",
    says: "branch() and append x1000 in a fresh process: this library / the other implementation",
    limit: 1,
    unit: "x",
    wants: "at most",
  },
  {
    id: "context",
    says: "first context after opening a compacted session: 1M entries / 1k entries",
    limit: 1.5,
    unit: "x",
    wants: "at most",
  },
  {
    id: "context-again",
    says: "later contexts of a compacted session: 1M entries / 1k entries",
    limit: 1.5,
    unit: "x",
    wants: "at most",
  },
  {
    id: "list",
    says: "bytes list() reads of a file: files five times as long / normal files",
    limit: 1.2,
    unit: "x",
    wants: "at most",
  },
  { id: "search", says: "search for a rare word / rg --count -i", limit: 2, unit: "x", wants: "at most" },
  {
    id: "search-exact",
    says: "the same with case as written / rg --count",
    limit: 2,
    unit: "x",
    wants: "at most",
  },
  {
    id: "memory",
    says: "peak memory of opening 2.2 GB, beyond Node's own",
    limit: 400 * 2 ** 20,
    unit: "bytes",
    wants: "at most",
  },
  {
    id: "many-open",
    says: "500 open sessions, 3 MB written to each and their contexts built: most memory beyond the start",
    limit: 400 * 2 ** 20,
    unit: "bytes",
    wants: "at most",
  },
  {
    id: "many-closed",
    says: "the same after close(): memory beyond the start",
    limit: 50 * 2 ** 20,
    unit: "bytes",
    wants: "at most",
  },
  {
    id: "terminal-open",
    says: "tree of 100k and 200k entries: from the key to its first rows",
    limit: 50,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "terminal-key",
    says: "the same trees, also while they are searched: the slowest key to its frame",
    limit: 16,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "terminal-typing",
    says: "typing in a chat of 10,000 messages: the slowest key to its frame",
    limit: 30,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "page-first",
    says: "HTML export of 100k entries in Chromium: from opening the file to its first screen",
    limit: 1000,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "page-rows",
    says: "the same page, scrolled: most rows and entries it holds at once",
    limit: 300,
    unit: "rows",
    wants: "at most",
  },
  {
    id: "command-ls",
    says: "bough ls of 5,000 sessions, as in a terminal: from the start of Node to the last line",
    limit: 1000,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "command-tree",
    says: "bough tree of 100k entries in branches, the same",
    limit: 1000,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "start-engine",
    says: "import of bough/session, beyond starting Node",
    limit: 35,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "start-rpc",
    says: "the first line of bough --mode rpc, beyond starting Node",
    limit: 200,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "start-print",
    says: 'bough -p "hello" with the offline model, beyond starting Node',
    limit: 150,
    unit: "ms",
    wants: "at most",
  },
  { id: "start-version", says: "bough --version / starting Node", limit: 1.5, unit: "x", wants: "at most" },
  {
    id: "foreign-memory",
    says: "opening 500 MB of another agent: most peak memory beyond Node's own / bytes of the transcript",
    limit: 0.5,
    unit: "x",
    wants: "at most",
  },
  {
    id: "files-scan",
    says: "files: a scan of 50,000 files with git / git status --porcelain",
    limit: 1.5,
    unit: "x",
    wants: "at most",
  },
  {
    id: "files-scan-folder",
    says: "files: the same without git / git status --porcelain",
    limit: 1.5,
    unit: "x",
    wants: "at most",
  },
  {
    id: "files-scan-400k",
    says: "files: a scan of 400,000 files with git",
    limit: 2000,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "files-scan-folder-400k",
    says: "files: the same without git",
    limit: 2000,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "files-wait",
    says: "files: what a shell command takes longer with 50,000 files in git",
    limit: 50,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "files-first",
    says: "files: the first look at 10,000 small files without git / cp -r",
    limit: 1.2,
    unit: "x",
    wants: "at most",
  },
  {
    id: "files-first-disk",
    says: "files: the disk that their contents take / their bytes",
    limit: 1.6,
    unit: "x",
    wants: "at most",
  },
  {
    id: "files-memory",
    says: "files: memory that scanners hold for each of 400,000 files",
    limit: 200,
    unit: "bytes",
    wants: "at most",
  },
  {
    id: "history",
    says: "an answer of bough mcp over 1 GB of sessions, warm",
    limit: 100,
    unit: "ms",
    wants: "at most",
  },
  {
    id: "files-restore",
    says: "files: a restore of 100 files / writing those files",
    limit: 2,
    unit: "x",
    wants: "at most",
  },
  {
    id: "files-store",
    says: "files: store after a day of work / compressed unique bytes that changed",
    limit: 1.2,
    unit: "x",
    wants: "at most",
  },
  { id: "stores-path", says: "a path from PostgreSQL / bare SQL", limit: 2, unit: "x", wants: "at most" },
  { id: "stores-push", says: "a batch of 50 into PostgreSQL / bare SQL", limit: 2, unit: "x", wants: "at most" },
  {
    id: "stores-search",
    says: "a search in PostgreSQL with where its hits lie / bare SQL for both",
    limit: 2,
    unit: "x",
    wants: "at most",
  },
  { id: "stores-search-ms", says: "a search in PostgreSQL", limit: 300, unit: "ms", wants: "at most" },
  { id: "stores-follow", says: "a push until a follower has it", limit: 200, unit: "ms", wants: "at most" },
  { id: "stores-sync-folder", says: "1,000 unchanged sessions, folder", limit: 1000, unit: "ms", wants: "at most" },
  { id: "stores-sync-git", says: "1,000 unchanged sessions, git", limit: 1000, unit: "ms", wants: "at most" },
  {
    id: "stores-sync-postgres",
    says: "1,000 unchanged sessions, PostgreSQL",
    limit: 1000,
    unit: "ms",
    wants: "at most",
  },
  { id: "stores-trips-git", says: "round trips of it, git", limit: 1, unit: "x", wants: "at most" },
  { id: "stores-trips-postgres", says: "round trips of it, PostgreSQL", limit: 1, unit: "x", wants: "at most" },
  {
    id: "stores-bytes",
    says: "1,000 messages in PostgreSQL / LangGraph's saver: bytes with indexes",
    limit: 1,
    unit: "x",
    wants: "at most",
  },
];

/**
 * @param {Pick<Budget, "limit" | "wants">} budget
 * @param {number | undefined} value
 * @returns {Verdict}
 */
export function verdict({ limit, wants }, value) {
  if (value === undefined || !Number.isFinite(value)) return "not measured";
  // How many times worse than the limit; up to 1 is within the budget.
  const excess = wants === "at most" ? value / limit : limit / value;
  if (excess <= 1) return "met";
  return excess <= 2 ? "missed" : "missed by more than 2x";
}
