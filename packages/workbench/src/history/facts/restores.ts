/** Tracks which file changes of turns were undone by restores, from the checkpoints in file order. */
import type { FileDelta, FileState } from "@bough/session/entry/index.js";
import { sameFile } from "@bough/session/entry/internal.js";
import type { TurnDraft } from "./turn-draft.js";

interface Change {
  readonly turn: TurnDraft | undefined;
  readonly before: FileState;
  readonly after: FileState;
  undone: boolean;
}

export class RestoreTrail {
  readonly #changes = new Map<string, Change[]>();

  add(turn: TurnDraft | undefined, { path, before, after }: FileDelta): void {
    const known = this.#changes.get(path) ?? [];
    known.push({ turn, before, after, undone: false });
    this.#changes.set(path, known);
  }

  /**
   *     a ─ b ─ c     a restore from c to a undoes both changes; one from a to c redoes both
   */
  restore({ path, before, after }: FileDelta): void {
    const changes = this.#changes.get(path) ?? [];
    const back = reached(changes.toReversed(), { from: before, to: after, undone: false });
    const forth = back.length > 0 ? [] : reached(changes, { from: before, to: after, undone: true });
    for (const change of back) {
      change.undone = true;
      change.turn?.restoredPaths.add(path);
    }
    for (const change of forth) {
      change.undone = false;
      change.turn?.restoredPaths.delete(path);
    }
  }
}

/** The changes that lead from one state to another; empty if none do. */
function reached(
  changes: readonly Change[],
  { from, to, undone }: { readonly from: FileState; readonly to: FileState; readonly undone: boolean },
): readonly Change[] {
  const found: Change[] = [];
  let at = from;
  for (const change of changes) {
    if (change.undone !== undone) continue;
    const [near, far] = undone ? [change.before, change.after] : [change.after, change.before];
    if (!sameFile(near, at)) continue;
    found.push(change);
    at = far;
    if (sameFile(at, to)) return found;
  }
  return [];
}
