/** What a session writes down about its running commands, one line of JSON each. */
import type { EntryId, FileState } from "@bough/session/entry/index.js";
import { fileDeltas } from "@bough/session/entry/internal.js";
import type { ProcessIdentity } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import type { Moment } from "./clock.js";

/** What a call is allowed to have changed: whatever it likes, only what it announces, or nothing. */
export type CallKind = "free" | "exact";

/** What a file was about to become. */
export interface AnnouncedChange {
  readonly path: string;
  readonly state: FileState;
  /** When that was said, in milliseconds. */
  readonly at: number;
}

/** How many lines of others' journals a session had taken into account, by the names of their folders. */
export type SeenLines = Readonly<Record<string, number>>;

export type JournalLine = Moment &
  (
    | {
        /** A call begins. Written before it can change anything. */
        readonly line: "open";
        readonly id: string;
        readonly tool: string;
        readonly kind: CallKind;
        /** The entry that it runs below. */
        readonly leaf: EntryId | null;
        /** For people. */
        readonly command?: string;
        /** The person ran it. */
        readonly byPerson?: boolean;
        /** What others had told by the last look before it: after a kill it is not taken for work of the call's time. */
        readonly seen?: SeenLines;
      }
    /** The person allowed it only now: it has changed nothing until here. */
    | { readonly line: "allowed"; readonly id: string }
    | { readonly line: "group"; readonly id: string; readonly process: ProcessIdentity }
    /** A file is about to become this. */
    | { readonly line: "will"; readonly path: string; readonly state: FileState }
    | { readonly line: "close"; readonly id: string }
    /** The call did not run at all. */
    | { readonly line: "void"; readonly id: string }
    /** Everything that closed calls did is in the session. */
    | { readonly line: "recorded" }
    /** The session was closed. */
    | { readonly line: "end" }
  );

/** Without what cannot be read: a line that was cut off, or one of a later version. */
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
  // Smaller numbers mean other things to the system than one group.
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 2 || pid > 0x7fffffff) return undefined;
  return {
    pid,
    ...(typeof start === "string" ? { start } : {}),
    ...(typeof space === "string" ? { space } : {}),
  };
}
