/**
 * Files that a merge or a cherry-pick brings together with the words: planned three ways by path, and written as one
 * restore. Nothing is written, neither words nor files, before every conflict has an answer.
 */
import type { EntryId } from "@bough/session/entry/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { Clash } from "@bough/session/view/door.js";
import {
  type BringPlan,
  changesFiles,
  isEmptyPlan,
  type MergeChoice,
  machinesOf,
  type RestoreChoices,
  type SessionFiles,
  unansweredConflicts,
} from "@bough/workbench/checkpoint/index.js";
import type { MovedFiles } from "../../extension/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { followed, isAllowed } from "../files/move-files.js";
import { tellFiles } from "../files/tell-files.js";

/** What happens to files in a merge or a cherry-pick. */
export interface BringFilesOptions {
  /** `follow`: bring file changes too. Default: the setting `files.onMerge`, where `ask` means `stay`. */
  readonly files?: "follow" | "stay";
  /**
   * Files whose changes cannot be combined: `keep` the one on disk, `take` the other one, or write both versions of the
   * lines with conflict `markers`. For all, or by path. Without an answer for each, nothing is brought.
   */
  readonly conflicts?: MergeChoice | Readonly<Record<string, MergeChoice>>;
  /** Files that decide what runs: `keep` them (default), or `take` those of the other branch. */
  readonly protected?: "keep" | "take";
}

/** A file that both sides changed, so that a person has to choose. */
export interface UnansweredConflict {
  readonly path: string;
  readonly clash?: Clash;
}

export interface ConflictsOutcome {
  /** Nothing was brought: these files need an answer in `conflicts`. */
  readonly kind: "conflicts";
  readonly conflicts: readonly UnansweredConflict[];
}

interface BringRequest extends BringFilesOptions, OperationOptions {
  readonly planWith: (files: SessionFiles) => Promise<BringPlan>;
  /** For extensions: the end of the other branch, or the last picked entry. */
  readonly targetId: EntryId;
}

/** The files of a merge before anything is written. */
export class FilesToBring {
  readonly #parts: AgentParts;
  readonly #request: BringRequest;
  readonly #files: SessionFiles | undefined;
  #plan: BringPlan | undefined;
  /** Set if the files stay. */
  #stays: MovedFiles | undefined;

  private constructor(parts: AgentParts, request: BringRequest, files: SessionFiles | undefined) {
    this.#parts = parts;
    this.#request = request;
    this.#files = files;
  }

  /** Plans, if files are wanted and recorded. Reads only. */
  static async plan(parts: AgentParts, request: BringRequest): Promise<FilesToBring> {
    const wanted = request.files ?? (parts.files?.options.onMerge === "follow" ? "follow" : "stay");
    const opened = wanted === "follow" ? await parts.files?.inUse() : undefined;
    const made = new FilesToBring(parts, request, opened);
    await made.planAgain();
    return made;
  }

  /** Files may have changed while a model wrote a summary. */
  async planAgain(): Promise<void> {
    if (this.#files === undefined || this.#stays !== undefined) return;
    const plan = await this.#request.planWith(this.#files);
    this.#plan = plan;
    // The setting alone does not write what another machine recorded.
    const machines = this.#request.files === undefined ? machinesOf(plan) : [];
    if (machines.length > 0) this.#stay({ kind: "stayed", differing: plan.files.length, recordedOn: machines });
  }

  #stay(stays: MovedFiles): void {
    this.#stays = stays;
    this.#plan = undefined;
  }

  /** Undefined if every conflict has an answer. */
  get unanswered(): ConflictsOutcome | undefined {
    if (this.#plan === undefined) return undefined;
    const conflicts = unansweredConflicts(this.#plan, this.#choices).map(({ path, clash }) => ({ path, clash }));
    return conflicts.length === 0 ? undefined : { kind: "conflicts", conflicts };
  }

  /** Whether a file would be written or deleted. */
  get hasChanges(): boolean {
    return this.#plan !== undefined && changesFiles(this.#plan, this.#choices);
  }

  get #choices(): RestoreChoices {
    const { conflicts, protected: guarded, signal } = this.#request;
    const byPath = typeof conflicts === "object" ? new Map(Object.entries(conflicts)) : conflicts;
    return { conflicts: byPath, protected: guarded, signal };
  }

  /** Extensions may keep the files as they are. */
  async askExtensions(): Promise<void> {
    const { targetId, signal } = this.#request;
    const plan = this.#plan;
    if (plan === undefined || isEmptyPlan(plan)) return;
    if (!(await isAllowed(this.#parts, plan, { to: targetId, signal }))) this.#stay({ kind: "cancelled" });
  }

  /**
   * Calls `words` when all is prepared, then writes the files. An error before that leaves everything as it was.
   * Undefined if no file was concerned.
   */
  async bring(words: () => void): Promise<MovedFiles | undefined> {
    const plan = this.#plan;
    if (this.#files === undefined || plan === undefined || isEmptyPlan(plan)) {
      words();
      return this.#stays;
    }
    let isSaid = false;
    const say = () => {
      words();
      isSaid = true;
    };
    try {
      const { recorded, ...outcome } = await this.#files.bring(plan, { choices: this.#choices, words: say });
      if (recorded !== undefined) tellFiles(this.#parts, recorded);
      return followed(outcome);
    } catch (error) {
      if (!isSaid) throw error;
      const hint = (error as { hint?: unknown }).hint;
      return { kind: "failed", message: errorText(error), ...(typeof hint === "string" ? { hint } : {}) };
    }
  }
}
