/** The result of a repair, as data. */
import type { EntryId, Problem } from "../../entry/index.js";
import type { VerifyReport } from "../verify-session.js";

/** Why an entry is not in the new file byte for byte. */
export type ChangeReason =
  | { readonly kind: "upgraded" }
  /** Its ID was taken. */
  | { readonly kind: "new-id"; readonly from: EntryId }
  /** Its parent is unreadable or missing, or the parent chain loops. */
  | { readonly kind: "new-parent"; readonly from: EntryId | null; readonly to: EntryId | null }
  /** Its ID or parent had bytes that are not UTF-8. */
  | { readonly kind: "encoding" };

export interface RepairChange {
  /** Line in the original. */
  readonly line: number;
  /** ID in the new file. */
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

/** A change to the file rather than to a single entry. */
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
      /** Its session ID, which differs from the original's because the original stays. */
      readonly sessionId: string;
      /** Entries copied byte for byte. */
      readonly kept: number;
      readonly changed: readonly RepairChange[];
      readonly dropped: readonly DroppedBytes[];
      readonly fileChanges: readonly FileChange[];
      /** The number of readable entries in the original, and how many of them were found in the new file. */
      readonly proof: { readonly readable: number; readonly found: number };
      readonly before: VerifyReport;
      /** Findings left in the new file. None of them is damage. */
      readonly remaining: readonly Problem[];
    };
