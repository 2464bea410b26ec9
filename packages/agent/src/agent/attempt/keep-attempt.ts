/** Keeps an attempt: the conversation moves to its end, and its file changes come to the files as they are now. */
import type { EntryId } from "@bough/session/entry/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import {
  type BringPlan,
  isEmptyPlan,
  type RestoreChoices,
  unansweredConflicts,
} from "@bough/workbench/checkpoint/index.js";
import type { MovedFiles } from "../../extension/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { followed, isAllowed } from "../files/move-files.js";
import { tellFiles } from "../files/tell-files.js";
import type { BringFilesOptions, UnansweredConflict } from "../merge/bring-files.js";
import { moveLeaf } from "../move/move-leaf.js";
import type { Attempt } from "./attempt.js";

export interface KeepOptions extends Pick<BringFilesOptions, "conflicts" | "protected"> {
  /** `stay`: only the conversation moves. */
  readonly files?: "follow" | "stay";
}

export type KeepOutcome =
  | {
      readonly kind: "done";
      readonly attempt: Attempt;
      readonly files?: MovedFiles;
      /** Commands to run, because what they install is not kept. */
      readonly installs: readonly string[];
    }
  /** Nothing was changed: these files need an answer. */
  | { readonly kind: "conflicts"; readonly conflicts: readonly UnansweredConflict[] }
  | { readonly kind: "cancelled" };

/** What keeping an attempt would do to the files. Undefined if files are not recorded. */
export async function planKeep(parts: AgentParts, tipId: EntryId): Promise<BringPlan | undefined> {
  return (await parts.files?.opened())?.planMerge(tipId);
}

/**
 * Nothing is written, and the conversation does not move, before every conflict has an answer. Then all files are written
 * as one restore, which a kill leaves undone or finished.
 */
export async function keepAttempt(
  parts: AgentParts,
  attempt: Attempt,
  { files = "follow", conflicts, protected: guarded, signal }: KeepOptions & OperationOptions,
): Promise<KeepOutcome> {
  const { tipId } = attempt;
  const move = () => {
    moveLeaf(parts, { newLeafId: tipId, cause: "attempt" });
  };
  const opened = files === "follow" ? await parts.files?.opened() : undefined;
  if (opened === undefined) {
    move();
    return { kind: "done", attempt, installs: [] };
  }
  const plan = await opened.planMerge(tipId, { signal });
  const byPath = typeof conflicts === "object" ? new Map(Object.entries(conflicts)) : conflicts;
  const choices: RestoreChoices = { conflicts: byPath, protected: guarded, signal };
  const unanswered = unansweredConflicts(plan, choices).map(({ path, clash }) => ({ path, clash }));
  if (unanswered.length > 0) return { kind: "conflicts", conflicts: unanswered };
  if (!isEmptyPlan(plan) && !(await isAllowed(parts, plan, { to: tipId, signal }))) return { kind: "cancelled" };
  let isMoved = false;
  try {
    const { recorded, ...outcome } = await opened.keep(tipId, {
      plan,
      choices,
      move: () => {
        move();
        isMoved = true;
      },
    });
    if (recorded !== undefined) tellFiles(parts, recorded);
    const changed = [...outcome.written, ...outcome.deleted];
    return {
      kind: "done",
      attempt,
      installs: installsFor(changed),
      ...defined({
        files:
          changed.length + outcome.kept.length + (outcome.protected?.length ?? 0) === 0 ? undefined : followed(outcome),
      }),
    };
  } catch (error) {
    if (!isMoved) throw error;
    const hint = (error as { hint?: unknown }).hint;
    const failed: MovedFiles = {
      kind: "failed",
      message: errorText(error),
      ...(typeof hint === "string" ? { hint } : {}),
    };
    return { kind: "done", attempt, files: failed, installs: [] };
  }
}

const LOCK_FILES: readonly (readonly [name: string, install: string])[] = [
  ["package-lock.json", "npm ci"],
  ["npm-shrinkwrap.json", "npm ci"],
  ["pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn install --immutable"],
  ["bun.lock", "bun install --frozen-lockfile"],
  ["bun.lockb", "bun install --frozen-lockfile"],
  ["uv.lock", "uv sync"],
  ["poetry.lock", "poetry install"],
  ["Pipfile.lock", "pipenv sync"],
  ["requirements.txt", "pip install -r requirements.txt"],
  ["Gemfile.lock", "bundle install"],
  ["composer.lock", "composer install"],
  ["mix.lock", "mix deps.get"],
  ["Podfile.lock", "pod install"],
];

/** What to run after these files changed. */
export function installsFor(paths: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const install = LOCK_FILES.find(([lock]) => lock === name)?.[1];
    if (install === undefined) continue;
    const folder = path.slice(0, -name.length - 1);
    found.push(folder === "" ? install : `cd ${folder} && ${install}`);
  }
  return [...new Set(found)];
}
