/** Finds sessions of pi and oh-my-pi, and describes them from the start and end of their files. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { attempt, defined, isRecord } from "@bough/session/text/index.js";
import type { AgentPlaces, FileFacts, ForeignSession, SourceProblem } from "../contract.js";
import { stringIn } from "../foreign-lines.js";
import { InteropError } from "../interop-error.js";
import { READ_EVERY_TIME } from "../known-files.js";
import type { LineRecord } from "../line-records.js";
import { type RecordEnds, recordsAtEnds, recordsOf } from "../record-ends.js";
import { damagedSession, linesProblem } from "../source-problem.js";

/** The folders of pi and oh-my-pi, which share a format. Sessions are written to pi's, which comes first. */
export function piRoots({
  home,
  environment = home === undefined ? process.env : {},
}: AgentPlaces): readonly [string, ...string[]] {
  const configured = environment.PI_CODING_AGENT_DIR;
  const base = home ?? homedir();
  const own = configured === undefined || configured === "" ? join(base, ".pi", "agent") : expanded(configured, base);
  return [join(own, "sessions"), join(base, ".omp", "agent", "sessions")];
}

function expanded(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}

/** The folder name for a working directory: separators become dashes. */
export function piFolderName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/**
 * Whether a file belongs to pi or oh-my-pi and not to Bough. Since the format is the same, a Bough session is
 * recognized only by what no other program writes: its import origin, and Bough's own records.
 */
export function detectPi(path: string): boolean {
  if (!path.endsWith(".jsonl")) return false;
  const ends = recordsAtEnds(path);
  if (isHarnessHeader(ends?.head.first(1)[0])) return true;
  const header = headerIn(ends);
  return header !== undefined && header.importedFrom === undefined && !hasOwnRecords(ends);
}

function hasOwnRecords(ends: RecordEnds | undefined): boolean {
  return [...(ends === undefined ? [] : recordsOf(ends))].some(
    ({ type, customType }) => type === "custom" && stringIn(customType)?.startsWith("bough.") === true,
  );
}

function headerIn(ends: RecordEnds | undefined): Readonly<Record<string, unknown>> | undefined {
  return ends?.head.first(FIRST_RECORDS).find((record) => record.type === "session" && typeof record.id === "string");
}

/** Version 4 is a different format, of the library below pi: its lines have a `kind` and no `type`. */
function isHarnessHeader(record: Readonly<Record<string, unknown>> | undefined): boolean {
  return record?.kind === "header" && typeof record.version === "number" && typeof record.id === "string";
}

/** A title record or damage may precede the header. */
const FIRST_RECORDS = 8;

/** What a list needs of one file. */
interface PiSketch {
  /** Whether it is a session, if it is in pi's own folder. */
  readonly isSession: boolean;
  readonly problem?: SourceProblem;
  /** Set if it is in the format of the library below pi. */
  readonly harness?: { readonly version: unknown };
  readonly id?: string;
  readonly cwd?: string;
  readonly time?: string;
  readonly name?: string;
  readonly prompt?: string;
}

function sketched(path: string): PiSketch {
  const ends = recordsAtEnds(path);
  const problem = linesProblem(path);
  if (problem !== undefined) return { isSession: true, problem };
  const [first] = ends?.head.first(1) ?? [];
  const header = headerIn(ends) ?? {};
  return {
    isSession: isSession(ends),
    ...defined({
      harness: isHarnessHeader(first) ? { version: first?.version } : undefined,
      id: stringIn(header.id),
      cwd: stringIn(header.cwd),
      time: stringIn(header.timestamp),
      name: titleIn(ends, header),
      prompt: firstPrompt(ends?.head ?? []),
    }),
  };
}

export function describePi(path: string, sketch = sketched(path)): ForeignSession {
  const { problem, harness, prompt } = sketch;
  if (problem !== undefined) return damagedSession("pi", path, problem);
  if (harness !== undefined) throw unknownVersion(path, harness.version);
  const stats = statSync(path);
  const created = Date.parse(sketch.time ?? "");
  return {
    agent: "pi",
    path,
    files: [path],
    id: sketch.id ?? basename(path, ".jsonl"),
    cwd: sketch.cwd ?? "",
    title: sketch.name ?? prompt,
    ...defined({ firstPrompt: prompt }),
    created: Number.isNaN(created) ? stats.birthtime : new Date(created),
    modified: stats.mtime,
    size: stats.size,
  };
}

function unknownVersion(path: string, version: unknown): InteropError {
  return new InteropError(
    "not-a-transcript",
    `${path} is a session of pi in version ${String(version)} of its format`,
    {
      data: { path, version },
      hint: "Bough reads versions 1 to 3. Open it with pi and export it, or wait for a newer Bough.",
    },
  );
}

const TITLE_LENGTH = 100;

function titleIn(ends: RecordEnds | undefined, header: Readonly<Record<string, unknown>>): string | undefined {
  const given = ({ type, name, title }: LineRecord) => {
    const text = type === "session_info" ? name : type === "title_change" || type === "title" ? title : undefined;
    return typeof text === "string" && text.trim() !== "" ? text : undefined;
  };
  const words = ["session_info", "title"];
  return ends?.tail.last(words, given) ?? ends?.head.last(words, given) ?? stringIn(header.title);
}

function firstPrompt(records: Iterable<LineRecord>): string | undefined {
  for (const { message } of records) {
    if (!isRecord(message) || message.role !== "user") continue;
    const blocks: unknown[] = Array.isArray(message.content) ? message.content : [{ text: message.content }];
    const text = blocks.map((block) => (isRecord(block) ? (stringIn(block.text) ?? "") : "")).join(" ");
    if (text.trim() !== "") return text.replace(/\s+/g, " ").trim().slice(0, TITLE_LENGTH);
  }
  return undefined;
}

export async function* findPi(places: AgentPlaces, facts = READ_EVERY_TIME): AsyncGenerator<ForeignSession> {
  for (const root of piRoots(places)) {
    for (const folder of itemsIn(root)) {
      if (!folder.isDirectory()) continue;
      for (const item of itemsIn(join(root, folder.name))) {
        const path = join(root, folder.name, item.name);
        const session = item.isFile() && item.name.endsWith(".jsonl") ? describedOrGone(path, facts) : undefined;
        if (session !== undefined) yield session;
      }
    }
  }
}

function describedOrGone(path: string, facts: FileFacts): ForeignSession | undefined {
  // The file may have been deleted since the folder was read.
  return attempt(() => {
    const sketch = facts.of("pi", path, () => sketched(path));
    return sketch.isSession ? describePi(path, sketch) : undefined;
  });
}

/** Whether a file in pi's own folder is a session. Files that Bough has written to are, unless Bough imported them. */
function isSession(ends: RecordEnds | undefined): boolean {
  const header = headerIn(ends);
  if (header !== undefined) return header.importedFrom === undefined;
  return ends !== undefined && [...ends.head].some(isEntry);
}

function isEntry({ type, id, parentId }: Readonly<Record<string, unknown>>): boolean {
  return typeof type === "string" && typeof id === "string" && (typeof parentId === "string" || parentId === null);
}
