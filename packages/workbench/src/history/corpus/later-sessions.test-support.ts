/** The second half of the sessions. */
import type { TableSession } from "./attempts-table.test-support.js";

export const LATER_SESSIONS: readonly TableSession[] = [
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
