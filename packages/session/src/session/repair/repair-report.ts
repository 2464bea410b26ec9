/** What a repair did, in values. */
import type { EntryId, Problem } from "../../entry/index.js";
import type { VerifyReport } from "../verify-session.js";

/** Why an entry does not be in the new file byte for byte. */
export type ChangeReason =
  | { readonly kind: "upgraded" }
  /** Its id was taken. */
  | { readonly kind: "new-id"; readonly from: EntryId }
  /** Its parent cannot be read, is not there, or led back to the entry. */
  | { readonly kind: "new-parent"; readonly from: EntryId | null; readonly to: EntryId | null }
  /** Its id or parent had bytes that are not UTF-8. */
  | { readonly kind: "encoding" };

export interface RepairChange {
  /** Line in the original. */
  readonly line: number;
  /** Id in the new file. */
  readonly id: EntryId;
  readonly reasons: readonly ChangeReason[];
}

/** Bytes of the original that are not in the new file. */
export interface DroppedBytes {
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
  readonly reason: string;
}

/** A change that belongs to no single entry. */
export type FileChange =
  | "upgraded"
  | "header-made"
  | "header-moved"
  | "byte-order-marks-removed"
  | "carriage-returns-removed"
  | "position-recorded";

export type RepairReport =
  /** Nothing to repair: nothing was written. */
  | { readonly kind: "clean"; readonly path: string; readonly before: VerifyReport }
  | {
      readonly kind: "repaired";
      readonly path: string;
      /** The new file. */
      readonly out: string;
      /** Its session id: another one than the original's, which stays where it is. */
      readonly sessionId: string;
      /** Entries that are in the new file byte for byte. */
      readonly kept: number;
      readonly changed: readonly RepairChange[];
      readonly dropped: readonly DroppedBytes[];
      readonly fileChanges: readonly FileChange[];
      /** Entries that can be read in the original, and how many of them were found again in the new file. */
      readonly proof: { readonly readable: number; readonly found: number };
      readonly before: VerifyReport;
      /** What is still odd in the new file. None of it is damage. */
      readonly remaining: readonly Problem[];
    };
