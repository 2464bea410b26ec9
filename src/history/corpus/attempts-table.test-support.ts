/** Attempts that were made in the sessions of the corpus, and how each ended: what the fifty questions are about. */
import type { Outcome } from "../facts/facts.js";

/** What happened to an attempt, as a session records it. */
export type Fate =
  | "tree"
  | "tree-summary"
  | "undo"
  | "pop"
  | "retry"
  | "failed-left"
  | "failed-here"
  | "model-error"
  | "stopped"
  | "tool-error"
  | "merged"
  | "picked"
  | "restored"
  | "kept"
  | "failed-then-passed";

export const OUTCOME_OF: Readonly<Record<Fate, Outcome>> = {
  tree: "left",
  "tree-summary": "left",
  undo: "undone",
  pop: "undone",
  retry: "left",
  "failed-left": "failed-check",
  "failed-here": "failed-check",
  "model-error": "error",
  stopped: "error",
  "tool-error": "error",
  merged: "kept",
  picked: "kept",
  restored: "undone",
  kept: "kept",
  "failed-then-passed": "left",
};

export interface TableAttempt {
  readonly prompt: string;
  readonly file: string;
  readonly fate: Fate;
  /** What a tool or a check said. */
  readonly said?: string;
  /** Of the branch, when it was left. */
  readonly summary?: string;
  /** Asked about it. */
  readonly ask: { readonly words?: string; readonly files?: readonly string[]; readonly error?: string };
}

export interface TableSession {
  readonly agent: "bough" | "claude-code" | "codex" | "pi";
  readonly title: string;
  readonly attempts: readonly TableAttempt[];
}

/** Prompts share words across sessions on purpose: cache, parser, login and retry are in several. */
export const SESSIONS: readonly TableSession[] = [
  {
    agent: "bough",
    title: "Faster parser",
    attempts: [
      {
        prompt: "Make the parser streaming with a generator",
        file: "src/parser/stream.ts",
        fate: "failed-left",
        said: "FAIL stream.test.ts\nAssertionError: expected 3 tokens to equal 4",
        ask: { words: "parser streaming generator" },
      },
      {
        prompt: "Memoize the parser with a lookup table",
        file: "src/parser/memo.ts",
        fate: "tree-summary",
        summary: "A lookup table doubled memory and saved nothing on large files.",
        ask: { words: "lookup table memory" },
      },
      {
        prompt: "Rewrite the tokenizer by hand without regular expressions",
        file: "src/parser/tokenizer.ts",
        fate: "undo",
        ask: { files: ["src/parser/tokenizer.ts"] },
      },
      {
        prompt: "Parse in a worker thread",
        file: "src/parser/worker.ts",
        fate: "model-error",
        said: "overloaded_error: the model is overloaded",
        ask: { words: "parse worker thread" },
      },
      {
        prompt: "Keep an index of line starts",
        file: "src/parser/lines.ts",
        fate: "kept",
        ask: { words: "index line starts" },
      },
    ],
  },
  {
    agent: "bough",
    title: "Login times out",
    attempts: [
      {
        prompt: "Raise the login timeout to a minute",
        file: "src/auth/login.ts",
        fate: "tree",
        ask: { words: "raise login timeout" },
      },
      {
        prompt: "Retry the login request three times",
        file: "src/auth/retry.ts",
        fate: "failed-left",
        said: "Error: ECONNRESET while reading the session cookie\n  at Socket.read (net.js:12)",
        ask: { error: "Error: ECONNRESET while reading the session cookie\n    at Socket.read (node:net:313)" },
      },
      {
        prompt: "Refresh the token before it expires",
        file: "src/auth/token.ts",
        fate: "merged",
        ask: { words: "refresh token expires" },
      },
      {
        prompt: "Store the cookie in the keychain",
        file: "src/auth/keychain.ts",
        fate: "pop",
        summary: "The keychain is locked on servers.",
        ask: { words: "cookie keychain" },
      },
      {
        prompt: "Log in through the device flow",
        file: "src/auth/device.ts",
        fate: "stopped",
        ask: { words: "device flow" },
      },
    ],
  },
  {
    agent: "bough",
    title: "Cache invalidation",
    attempts: [
      {
        prompt: "Invalidate the cache by modification time",
        file: "lib/cache/mtime.ts",
        fate: "failed-left",
        said: "FAIL cache.test.ts: stale entry was served after a touch",
        ask: { error: "stale entry was served after a touch" },
      },
      {
        prompt: "Hash every file for the cache key",
        file: "lib/cache/hash.ts",
        fate: "tree-summary",
        summary: "Hashing took nine seconds on the monorepo.",
        ask: { words: "hashing monorepo seconds" },
      },
      {
        prompt: "Drop the cache and measure",
        file: "lib/cache/index.ts",
        fate: "undo",
        ask: { words: "drop cache measure" },
      },
      {
        prompt: "Use an LRU with a size limit for the cache",
        file: "lib/cache/lru.ts",
        fate: "picked",
        ask: { words: "lru size limit" },
      },
      {
        prompt: "Watch folders with inotify",
        file: "lib/cache/watch.ts",
        fate: "tool-error",
        said: "ENOSPC: System limit for number of file watchers reached",
        ask: { error: "ENOSPC: System limit for number of file watchers reached, watch '/app'" },
      },
      {
        prompt: "Version the cache folder",
        file: "lib/cache/version.ts",
        fate: "kept",
        ask: { files: ["lib/cache/version.ts"] },
      },
    ],
  },
  {
    agent: "bough",
    title: "Flaky upload test",
    attempts: [
      {
        prompt: "Wait longer in the upload test",
        file: "test/upload.test.ts",
        fate: "retry",
        ask: { words: "wait longer upload" },
      },
      {
        prompt: "Use fake timers in the upload test",
        file: "test/timers.ts",
        fate: "failed-left",
        said: "Timeout of 5000ms exceeded in beforeEach hook",
        ask: { words: "fake timers" },
      },
      {
        prompt: "Bind the upload server to a random port",
        file: "test/server.ts",
        fate: "failed-then-passed",
        said: "EADDRINUSE: address already in use :::8080",
        ask: { files: ["test/server.ts"] },
      },
      {
        prompt: "Run the upload suite serially",
        file: "vitest.config.ts",
        fate: "restored",
        ask: { files: ["vitest.config.ts"] },
      },
      {
        prompt: "Close sockets in the teardown",
        file: "test/teardown.ts",
        fate: "kept",
        ask: { words: "sockets teardown" },
      },
    ],
  },
  {
    agent: "bough",
    title: "Database migration",
    attempts: [
      {
        prompt: "Add the tenant column with a default",
        file: "db/0042_tenant.sql",
        fate: "failed-left",
        said: 'error: column "tenant_id" contains null values',
        ask: { error: "column tenant_id contains null values" },
      },
      {
        prompt: "Backfill tenants in batches",
        file: "db/backfill.ts",
        fate: "tree",
        ask: { words: "backfill tenants batches" },
      },
      {
        prompt: "Use a trigger to fill the tenant",
        file: "db/trigger.sql",
        fate: "pop",
        summary: "Triggers are not allowed by the hosting provider.",
        ask: { words: "triggers hosting provider" },
      },
      {
        prompt: "Split the migration into three deployments",
        file: "db/plan.md",
        fate: "kept",
        ask: { words: "split migration deployments" },
      },
    ],
  },
  {
    agent: "bough",
    title: "Dark mode",
    attempts: [
      {
        prompt: "Invert all colors with a filter",
        file: "web/theme/filter.css",
        fate: "undo",
        ask: { words: "invert colors" },
      },
      {
        prompt: "Generate dark colors from the palette",
        file: "web/theme/palette.ts",
        fate: "tree-summary",
        summary: "Generated contrast was below the accessibility threshold.",
        ask: { words: "contrast accessibility" },
      },
      {
        prompt: "Use light-dark() in the stylesheet",
        file: "web/theme/colors.css",
        fate: "failed-here",
        said: "Unknown function light-dark() (css-tree)",
        ask: { words: "stylesheet light-dark" },
      },
    ],
  },
  {
    agent: "bough",
    title: "Memory leak",
    attempts: [
      {
        prompt: "Use WeakRef for listeners",
        file: "src/events/hub.ts",
        fate: "tree",
        ask: { words: "WeakRef listeners" },
      },
      {
        prompt: "Take heap snapshots in production",
        file: "scripts/heap.mjs",
        fate: "tool-error",
        said: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        ask: { error: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory" },
      },
      {
        prompt: "Limit the queue of the event hub",
        file: "src/events/queue.ts",
        fate: "merged",
        ask: { files: ["events/queue.ts"] },
      },
      {
        prompt: "Restart the worker every hour",
        file: "src/worker/restart.ts",
        fate: "pop",
        summary: "Hides the leak and loses jobs in flight.",
        ask: { words: "restart worker hour" },
      },
      {
        prompt: "Remove listeners when a view closes",
        file: "src/events/views.ts",
        fate: "kept",
        ask: { words: "remove listeners view" },
      },
    ],
  },
  {
    agent: "claude-code",
    title: "Search relevance",
    attempts: [
      {
        prompt: "Rank results by BM25",
        file: "/home/dev/shop/search/bm25.py",
        fate: "failed-left",
        said: "FAILED tests/test_rank.py::test_exact_title - AssertionError: assert 3 == 1",
        ask: { words: "bm25 rank" },
      },
      {
        prompt: "Boost exact titles in search",
        file: "/home/dev/shop/search/boost.py",
        fate: "tree",
        ask: { files: ["search/boost.py"] },
      },
      {
        prompt: "Use trigram similarity for search",
        file: "/home/dev/shop/search/trigram.py",
        fate: "kept",
        ask: { words: "trigram similarity" },
      },
    ],
  },
  {
    agent: "claude-code",
    title: "Checkout totals",
    attempts: [
      {
        prompt: "Round the totals with Decimal quantize",
        file: "/home/dev/shop/checkout/totals.py",
        fate: "tree",
        ask: { words: "decimal quantize" },
      },
      {
        prompt: "Keep money in integer cents",
        file: "/home/dev/shop/checkout/money.py",
        fate: "tool-error",
        said: "String to replace not found in file checkout/money.py",
        ask: { words: "integer cents" },
      },
    ],
  },
  {
    agent: "codex",
    title: "CI on ARM",
    attempts: [
      {
        prompt: "Cross compile the release for aarch64",
        file: ".github/workflows/arm.yml",
        fate: "tree",
        ask: { words: "cross compile aarch64" },
      },
      {
        prompt: "Run the release under QEMU",
        file: ".github/workflows/qemu.yml",
        fate: "failed-here",
        said: "qemu: uncaught target signal 11 (Segmentation fault) - core dumped",
        ask: { error: "qemu: uncaught target signal 11 (Segmentation fault) - core dumped" },
      },
    ],
  },
  {
    agent: "codex",
    title: "Log format",
    attempts: [
      { prompt: "Print logs as logfmt", file: "internal/log/logfmt.go", fate: "tree", ask: { words: "logfmt" } },
      {
        prompt: "Print logs as JSON lines",
        file: "internal/log/json.go",
        fate: "kept",
        ask: { files: ["internal/log/json.go"] },
      },
    ],
  },
  {
    agent: "pi",
    title: "Terminal colors",
    attempts: [
      {
        prompt: "Detect truecolor from COLORTERM",
        file: "src/term/detect.ts",
        fate: "tree",
        ask: { words: "truecolor COLORTERM" },
      },
      {
        prompt: "Query the terminal with DA1",
        file: "src/term/query.ts",
        fate: "failed-left",
        said: "FAIL query.test.ts: no answer within 200 ms",
        ask: { words: "terminal DA1 query" },
      },
      {
        prompt: "Ask terminfo for the number of colors",
        file: "src/term/terminfo.ts",
        fate: "kept",
        ask: { words: "terminfo number colors" },
      },
    ],
  },
];
