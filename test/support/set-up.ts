/** Runs before every test file. */
import fc from "fast-check";
import { afterAll, afterEach, vi } from "vitest";
import { cleanUp } from "./after-test.js";
import { isOnPath } from "./missing-tools.js";

// In CI the same cases every time, so that a change is judged by what it changed; everywhere else new ones on every run.
if (process.env.CI !== undefined) fc.configureGlobal({ seed: 20261115 });

// A record that does not start from what its branch says is a mistake: here it fails the test, whoever writes it.
process.env.BOUGH_RECORD_GAPS ??= "throw";

const atStart = { env: { ...process.env }, cwd: process.cwd() };

/** An error, or what caused it, is that git cannot be started. */
function isWithoutGit(error: { readonly message?: string; readonly cause?: unknown } | undefined): boolean {
  if (error === undefined) return false;
  return /\bgit ENOENT\b/.test(error.message ?? "") || isWithoutGit(error.cause as typeof error);
}

// Most tests about files run git themselves. Where there is none, those that fail for that reason are skipped and say so.
// This comes first, so that it runs last: to skip is to throw.
if (!isOnPath("git")) {
  afterEach(({ task, skip }) => {
    const errors = task.result?.errors ?? [];
    if (errors.length > 0 && errors.every(isWithoutGit)) skip("git is not installed");
  });
}

afterEach(async () => {
  try {
    await cleanUp();
  } finally {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
});

// Files share a process. What one leaves behind would fail another, and only in some orders: it is named here instead.
afterAll(() => {
  vi.restoreAllMocks();
  const names = new Set([...Object.keys(atStart.env), ...Object.keys(process.env)]);
  const left = [...names].filter((name) => process.env[name] !== atStart.env[name]);
  for (const name of left) {
    if (atStart.env[name] === undefined) delete process.env[name];
    else process.env[name] = atStart.env[name];
  }
  const cwd = process.cwd();
  process.chdir(atStart.cwd);
  if (cwd !== atStart.cwd) left.push("the working folder");
  if (left.length > 0) throw new Error(`This test file leaves changed: ${left.join(", ")}`);
});
