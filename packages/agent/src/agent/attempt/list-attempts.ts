/** The attempts of a session, from what it says about them, and the folders that exist. */
import { isAlive } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { pathBelow } from "@bough/session/session/internal.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { attemptTip, listFolders } from "@bough/workbench/folder/index.js";
import { UsageCounter } from "../usage-total.js";
import type { Attempt, AttemptState } from "./attempt.js";
import {
  ATTEMPT_END_TYPE,
  type AttemptEndData,
  type AttemptOutcome,
  attemptStarts,
  type CheckResult,
  type FileCounts,
  recordOf,
} from "./attempt-entries.js";

interface ListOptions {
  readonly home: string;
  /** Attempts of this process, which know more. */
  readonly own?: readonly Attempt[];
}

/** Oldest first. */
export function listAttempts(session: SessionManager, { home, own = [] }: ListOptions): readonly Attempt[] {
  const folders = new Map(listFolders(home).folders.map((folder) => [folder.session?.entry, folder]));
  const live = new Map(own.map((attempt) => [attempt.entryId, attempt]));
  return attemptStarts(session).map((start) => {
    const known = live.get(start.entryId);
    if (known !== undefined) return known;
    const { name, entryId, tryId, driver, model } = start;
    const tipId = attemptTip(session, entryId) ?? entryId;
    const usage = new UsageCounter();
    let end: AttemptEndData | undefined;
    for (const entry of pathBelow(session, tipId, tryId)) {
      usage.add(entry);
      const data = recordOf(entry, ATTEMPT_END_TYPE);
      if (data !== undefined) end = endOf(data);
    }
    const { tokens, dollars, unpriced } = usage.total();
    const folder = folders.get(entryId);
    const isBusy = end === undefined && folder !== undefined && isAlive(folder.owner);
    const state: AttemptState = end?.outcome ?? (isBusy ? "elsewhere" : "interrupted");
    return {
      ...{ name, entryId, tipId, tryId, driver, state, tokens, dollars, unpriced },
      durationMs: end?.durationMs ?? 0,
      ...defined({ model, files: end?.files, check: end?.check, reason: end?.reason, folder: folder?.path }),
    };
  });
}

const OUTCOMES: ReadonlySet<unknown> = new Set(["done", "failed", "stopped", "limit", "interrupted"]);

/** The file may hold anything. */
function endOf({ outcome, reason, durationMs, check, files }: Readonly<Record<string, unknown>>): AttemptEndData {
  return {
    v: 1,
    outcome: OUTCOMES.has(outcome) ? (outcome as AttemptOutcome) : "failed",
    durationMs: typeof durationMs === "number" ? durationMs : 0,
    ...(typeof reason === "string" ? { reason } : {}),
    ...(isCheck(check) ? { check } : {}),
    ...(isCounts(files) ? { files } : {}),
  };
}

function isCheck(value: unknown): value is CheckResult {
  if (!isRecord(value) || typeof value.command !== "string" || typeof value.passed !== "boolean") return false;
  const { tests, last, exitCode, durationMs } = value;
  if (typeof durationMs !== "number" || (exitCode !== null && typeof exitCode !== "number")) return false;
  if (!Array.isArray(last) || !last.every((line) => typeof line === "string")) return false;
  return (
    tests === undefined || (isRecord(tests) && typeof tests.passed === "number" && typeof tests.failed === "number")
  );
}

function isCounts(value: unknown): value is FileCounts {
  return isRecord(value) && ["files", "added", "removed"].every((name) => typeof value[name] === "number");
}
