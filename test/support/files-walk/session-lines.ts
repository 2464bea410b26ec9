/** The lines of a session, read with nothing but JSON: who follows whom, and what the records of files say. */
import { existsSync, readFileSync } from "node:fs";

export type Line = Readonly<Record<string, unknown>> & { readonly id: string; readonly parentId: string | null };

/** A state as `worldAt` writes it; null is nothing. */
export type State = string | null;

export interface Change {
  readonly path: string;
  readonly before: State;
  readonly after: State;
}

export interface RecordLine {
  readonly id: string;
  readonly parentId: string | null;
  readonly by: string;
  readonly tool: string | undefined;
  readonly callIds: readonly string[];
  readonly with: unknown;
  readonly changes: readonly Change[];
  /** The changes are elsewhere because there are many. */
  readonly isElsewhere: boolean;
}

export class SessionLines {
  readonly file: string;
  readonly lines: Line[] = [];
  readonly byId = new Map<string, Line>();
  readonly records: RecordLine[] = [];
  readonly #recordOf = new Map<string, RecordLine>();
  #read = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** Reads what has been added. Gives the records among it. */
  update(): readonly RecordLine[] {
    if (!existsSync(this.file)) return [];
    const bytes = readFileSync(this.file);
    const end = bytes.lastIndexOf(10) + 1;
    const added: RecordLine[] = [];
    for (const text of bytes.subarray(this.#read, end).toString("utf8").split("\n")) {
      const line = parsed(text);
      if (line === undefined) continue;
      this.lines.push(line);
      this.byId.set(line.id, line);
      const record = recordOf(line);
      if (record === undefined) continue;
      added.push(record);
      this.records.push(record);
      this.#recordOf.set(record.id, record);
    }
    this.#read = end;
    return added;
  }

  record(id: string): RecordLine | undefined {
    return this.#recordOf.get(id);
  }

  /** From the root to an entry. */
  path(id: string | null): readonly Line[] {
    const path: Line[] = [];
    for (let line = id === null ? undefined : this.byId.get(id); line !== undefined; ) {
      path.push(line);
      line = line.parentId === null ? undefined : this.byId.get(line.parentId);
    }
    return path.reverse();
  }

  /** What the records on the way to an entry say of a path. Undefined where none does. */
  stateAt(id: string | null, path: string): State | undefined {
    for (let line = id === null ? undefined : this.byId.get(id); line !== undefined; ) {
      const change = this.#recordOf.get(line.id)?.changes.find((one) => one.path === path);
      if (change !== undefined) return change.after;
      line = line.parentId === null ? undefined : this.byId.get(line.parentId);
    }
    return undefined;
  }

  /** The newest entry that holds a text. */
  findLast(isWanted: (line: Line) => boolean): Line | undefined {
    return this.lines.findLast(isWanted);
  }
}

function parsed(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const line = value as Line;
    return typeof line === "object" && line !== null && typeof line.id === "string" && line.type !== "session"
      ? line
      : undefined;
  } catch {
    return undefined;
  }
}

function recordOf(line: Line): RecordLine | undefined {
  if (line.type !== "custom" || line.customType !== "bough.files") return undefined;
  const data = line.data as Readonly<Record<string, unknown>>;
  const changes = (data.changes ?? []) as readonly { path: string; before: unknown; after: unknown }[];
  return {
    id: line.id,
    parentId: line.parentId,
    by: String(data.by),
    tool: data.tool as string | undefined,
    callIds: (data.callIds ?? []) as readonly string[],
    with: data.with,
    changes: changes.map(({ path, before, after }) => ({ path, before: state(before), after: state(after) })),
    isElsewhere: data.changesIn !== undefined,
  };
}

function state(value: unknown): State {
  if (value === null || value === undefined) return null;
  const { hash, mode, link } = value as { hash?: string; mode?: string; link?: string };
  return link === undefined ? `${mode === "755" ? "x" : "-"} ${hash}` : `-> ${link}`;
}
