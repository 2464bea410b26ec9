/** A tiny model of pi's session manager: every append hangs below the leaf and becomes it, going back writes nothing. */
import fc from "fast-check";

const TIME = "2026-01-15T12:00:00.000Z";

/** What pi, oh-my-pi and their extensions write. */
const ENTRIES = {
  message: { message: { role: "user", content: "marmalade", timestamp: 1 } },
  custom_message: { customType: "notes", content: "marmalade", display: true },
  compaction: { summary: "marmalade", firstKeptEntryId: "", tokensBefore: 10 },
  reset_boundary: {},
  branch_summary: { fromId: "root", summary: "marmalade" },
  model_change: { provider: "p", modelId: "m" },
  thinking_level_change: { thinkingLevel: "high" },
  custom: { customType: "notes", data: 1 },
  label: { targetId: "", label: "marmalade" },
  session_info: { name: "marmalade" },
  title_change: { title: "marmalade", source: "user" },
  service_tier_change: { serviceTier: null },
} as const;
type EntryType = keyof typeof ENTRIES;

export interface PiStep {
  /** `back`: go to an entry written before, or before the first. */
  readonly act: EntryType | "back";
  readonly pick: number;
}

const TYPES = Object.keys(ENTRIES) as EntryType[];

/** Mostly talk, as in real files. */
export const piSteps = fc.array(
  fc.record({
    act: fc.oneof(fc.constantFrom<PiStep["act"]>("message", "message", "back", "back"), fc.constantFrom(...TYPES)),
    pick: fc.nat(1000),
  }),
  { minLength: 1, maxLength: 40 },
);

export interface PiSession {
  /** Without newlines, the header first. */
  readonly lines: readonly string[];
  /** Where pi continues when it opens the file: at the last line. */
  readonly leaf: string | null;
}

/** `alphabet`: pi's ids have 8 hex digits, oh-my-pi's 8 letters and digits of any kind. */
export function piSession(steps: readonly PiStep[], { alphabet }: { readonly alphabet: "pi" | "oh-my-pi" }): PiSession {
  const lines = [JSON.stringify({ type: "session", version: 3, id: "pi-session", timestamp: TIME, cwd: "/w" })];
  const ids: string[] = [];
  let leaf: string | null = null;
  for (const { act, pick } of steps) {
    const other = ids[pick % Math.max(1, ids.length)] ?? null;
    if (act === "back") {
      leaf = pick % 9 === 0 ? null : other;
      continue;
    }
    const at = ids.length;
    const id = alphabet === "pi" ? at.toString(16).padStart(8, "0") : `V-_z${at.toString(36).padStart(4, "Z")}`;
    const named = { ...("targetId" in ENTRIES[act] ? { targetId: other } : {}) };
    const kept = { ...("firstKeptEntryId" in ENTRIES[act] ? { firstKeptEntryId: other } : {}) };
    const place = { id, parentId: leaf, timestamp: TIME };
    const fields = { ...ENTRIES[act], ...named, ...kept };
    // pi writes the fields of some types before the place.
    lines.push(
      JSON.stringify(pick % 2 === 0 ? { type: act, ...place, ...fields } : { type: act, ...fields, ...place }),
    );
    ids.push(id);
    leaf = id;
  }
  return { lines, leaf: ids.at(-1) ?? null };
}
