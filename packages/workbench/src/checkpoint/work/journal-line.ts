/** The journal in which a session records its running commands, as lines of JSON. */
import type { EntryId, FileState } from "@bough/session/entry/index.js";
import { fileDeltas } from "@bough/session/entry/internal.js";
import type { ProcessIdentity } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import type { Moment } from "./clock.js";

/** What a call may change: anything (`free`), or only what it announces (`exact`). */
export type CallKind = "free" | "exact";

/** A state that a file was about to get. */
export interface AnnouncedChange {
  readonly path: string;
  readonly state: FileState;
  /** The time of the announcement, in milliseconds. */
  readonly at: number;
}

/** How many lines of each other journal a session had read, by folder name. */
export type SeenLines = Readonly<Record<string, number>>;

export type JournalLine = Moment &
  (
    | {
        /** A call begins. Written before it can change anything. */
        readonly line: "open";
        readonly id: string;
        readonly tool: string;
        readonly kind: CallKind;
        /** The entry at which the call runs. */
        readonly leaf: EntryId | null;
        /** Shown to people. */
        readonly command?: string;
        /** The person ran it, not the model. */
        readonly byPerson?: boolean;
        /**
         * How much of other journals was read at the last scan. After a kill, that much is not attributed to the time
         * of this call.
         */
        readonly seen?: SeenLines;
      }
    /** The user has only now allowed the call: it has changed nothing so far. */
    | { readonly line: "allowed"; readonly id: string }
    | { readonly line: "group"; readonly id: string; readonly process: ProcessIdentity }
    /** A file is about to get this state. */
    | { readonly line: "will"; readonly path: string; readonly state: FileState }
    | { readonly line: "close"; readonly id: string }
    /** The call never ran. */
    | { readonly line: "void"; readonly id: string }
    /** All changes of closed calls are in the session. */
    | { readonly line: "recorded" }
    /** The session was closed. */
    | { readonly line: "end" }
  );

/** Skips unreadable lines: cut-off ones, and those of a later version. */
export function journalLines(text: string): readonly JournalLine[] {
  return text.split("\n").flatMap((one) => {
    const value = one === "" ? undefined : parsedJson(one);
    return isRecord(value) ? lineIn(value) : [];
  });
}

function lineIn(value: Readonly<Record<string, unknown>>): readonly JournalLine[] {
  const { line, at, up, id, tool, kind, leaf, command, path, state } = value;
  if (typeof at !== "number" || typeof up !== "number") return [];
  const moment = { at, up };
  if (line === "recorded" || line === "end") return [{ line, ...moment }];
  if (line === "will") {
    const [delta] = fileDeltas([{ path, before: null, after: state }]) ?? [];
    return delta === undefined ? [] : [{ line, path: delta.path, state: delta.after, ...moment }];
  }
  if (typeof id !== "string") return [];
  if (line === "allowed" || line === "close" || line === "void") return [{ line, id, ...moment }];
  if (line === "group") {
    const process = processIn(value.process);
    return process === undefined ? [] : [{ line, id, process, ...moment }];
  }
  if (line !== "open" || typeof tool !== "string" || (kind !== "free" && kind !== "exact")) return [];
  if (leaf !== null && typeof leaf !== "string") return [];
  const text = typeof command === "string" ? { command } : {};
  const person = value.byPerson === true ? { byPerson: true } : {};
  const seen = isRecord(value.seen) ? { seen: seenIn(value.seen) } : {};
  return [{ line, id, tool, kind, leaf: leaf as EntryId | null, ...text, ...person, ...seen, ...moment }];
}

function seenIn(value: Readonly<Record<string, unknown>>): SeenLines {
  const counts = Object.entries(value).flatMap(([name, count]) =>
    typeof count === "number" && count > 0 ? [[name, count] as const] : [],
  );
  return Object.fromEntries(counts);
}

function processIn(value: unknown): ProcessIdentity | undefined {
  if (!isRecord(value)) return undefined;
  const { pid, start, space } = value;
  // To `kill`, smaller numbers do not mean a single process group.
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 2 || pid > 0x7fffffff) return undefined;
  return {
    pid,
    ...(typeof start === "string" ? { start } : {}),
    ...(typeof space === "string" ? { space } : {}),
  };
}
