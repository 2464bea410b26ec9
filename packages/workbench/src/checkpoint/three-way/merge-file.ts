/** One file, changed on two sides: what it becomes, or why a person has to choose. */
import type { FileState } from "@bough/session/entry/index.js";
import { sameFile } from "@bough/session/entry/internal.js";
import type { Clash } from "@bough/session/view/door.js";
import { hashOf } from "../store/blob-store.js";
import { mergeTexts } from "./merge-texts.js";

/** A state, and its content if that is at hand. */
export interface FileSide {
  readonly state: FileState;
  /** Undefined for a link and for nothing; `missing` if it is not on this machine. */
  readonly content: Buffer | "missing" | undefined;
}

export interface ThreeFiles {
  /** What both sides started from. */
  readonly base: FileSide;
  readonly ours: FileSide;
  readonly theirs: FileSide;
}

export type MergedFile =
  /** Ours has everything already. */
  | { readonly kind: "same" }
  | ({ readonly kind: "merged" } & FileSide)
  /** `marked` has both versions of the lines, with conflict markers. */
  | { readonly kind: "clash"; readonly clash: Clash; readonly marked?: FileSide };

/** Comparing lines of larger files takes too long, and they are hardly ever written by hand. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What a file that both sides added, or that was a link, is compared with. */
const NOTHING = Buffer.alloc(0);

type Stored = Extract<FileState, { readonly hash: string }>;

/** Reads nothing. The result has the permissions and line endings of ours. */
export function mergeFile({ base, ours, theirs }: ThreeFiles): MergedFile {
  if (sameFile(ours.state, theirs.state) || sameFile(base.state, theirs.state)) return { kind: "same" };
  if (sameFile(base.state, ours.state)) return { kind: "merged", ...theirs };
  if (ours.state === null || theirs.state === null) return { kind: "clash", clash: "deleted" };
  if ("link" in ours.state || "link" in theirs.state) return { kind: "clash", clash: "link" };
  const was = base.state !== null && "hash" in base.state ? base.state : undefined;
  const mode = mergedMode(was, ours.state, theirs.state);
  if (mode === undefined) return { kind: "clash", clash: "mode" };
  const merged = mergedContent(was, { base, ours, theirs });
  if (typeof merged === "string") return { kind: "clash", clash: merged };
  const side = { state: stateWith(merged.content, { like: ours.state, mode }), content: merged.content };
  if (merged.conflicts > 0) return { kind: "clash", clash: "lines", marked: side };
  return sameFile(side.state, ours.state) ? { kind: "same" } : { kind: "merged", ...side };
}

function mergedMode(was: Stored | undefined, ours: Stored, theirs: Stored): Stored["mode"] | undefined {
  if (ours.mode === theirs.mode) return ours.mode;
  if (was === undefined) return undefined;
  return ours.mode === was.mode ? theirs.mode : ours.mode;
}

function mergedContent(
  was: Stored | undefined,
  { base, ours, theirs }: ThreeFiles,
): { readonly content: Buffer; readonly conflicts: number } | Clash {
  if (ours.content === undefined || ours.content === "missing") return "missing";
  if (theirs.content === undefined || theirs.content === "missing") return "missing";
  if (ours.content.equals(theirs.content)) return { content: ours.content, conflicts: 0 };
  const old = was === undefined ? NOTHING : base.content;
  if (old === undefined || old === "missing") return "missing";
  if (was !== undefined && old.equals(theirs.content)) return { content: ours.content, conflicts: 0 };
  if (was !== undefined && old.equals(ours.content)) return { content: theirs.content, conflicts: 0 };
  const all = [old, ours.content, theirs.content];
  if (all.some((one) => one.includes(0))) return "binary";
  if (all.some((one) => one.length > MOST_BYTES)) return "large";
  // One character for each byte, so that text in any encoding stays as it is.
  const [before = "", mine = "", its = ""] = all.map((one) => one.toString("latin1"));
  const { text, conflicts } = mergeTexts({ base: before, ours: mine, theirs: its });
  return { content: Buffer.from(text, "latin1"), conflicts };
}

function stateWith(content: Buffer, { like, mode }: { readonly like: Stored; readonly mode: Stored["mode"] }): Stored {
  return { ...like, hash: hashOf(content), mode, size: content.length };
}
