/** The first half of the sessions. */
import type { TableSession } from "./attempts-table.test-support.js";

export const FIRST_SESSIONS: readonly TableSession[] = [
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
];
