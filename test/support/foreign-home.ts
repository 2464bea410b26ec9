/** A home folder with sessions of all five agents, laid out as the programs do it. */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Database } from "node-sqlite3-wasm";

const INTEROP = fileURLToPath(new URL("../fixtures/interop", import.meta.url));

/** Where each session is; all of them worked in `/home/dev/project`. */
export interface ForeignHome {
  /** Two branches: `Double it.` and `Triple it instead.` */
  readonly claude: string;
  /** Has a sub-agent with a file of its own. */
  readonly claudeSubagent: string;
  readonly codex: string;
  readonly gemini: string;
  /** A database with two sessions. */
  readonly opencode: string;
  readonly pi: string;
}

/** Ids of the sessions in it, as their programs gave them. */
export const FOREIGN_IDS = {
  claude: "bdeed71e-df0a-497d-9afc-2cd57bdd9943",
  claudeSubagent: "700a8432-0d71-4294-bebc-a5f440a156b4",
  codex: "01a1de66-2f95-7361-a035-2c1db9b1d6c0",
  gemini: "894c528a-8847-451a-9289-1e5d6d92b3a4",
  opencode: "ses_e2193c7edffehRwYnlS0oYv7uT",
  opencodeOther: "ses_e21920d10ffebUOrxaAZpxZ9YJ",
  pi: "01a1de67-c7a2-761b-bcfe-77d8dcc9de95",
} as const;

/** Files are as old as their names say, and each is a minute newer than the one before it. */
const FIRST_MS = Date.UTC(2026, 10, 15, 9);

export function layOutForeignHome(home: string): ForeignHome {
  let time = FIRST_MS;
  const place = (from: string, ...to: readonly string[]): string => {
    const target = join(home, ...to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(INTEROP, from), target, { recursive: true });
    time += 60_000;
    utimesSync(target, time / 1000, time / 1000);
    return target;
  };
  const projects = [".claude", "projects", "-home-dev-project"] as const;
  const { claude, claudeSubagent, codex, pi } = FOREIGN_IDS;
  const rollout = `rollout-2026-11-15T08-50-01-${codex}.jsonl`;
  const chat = "session-2026-11-15T08-50-894c528a.jsonl";
  place(`claude-code/subagent/${claudeSubagent}`, ...projects, claudeSubagent);
  return {
    claude: place("claude-code/rewind.jsonl", ...projects, `${claude}.jsonl`),
    claudeSubagent: place(`claude-code/subagent/${claudeSubagent}.jsonl`, ...projects, `${claudeSubagent}.jsonl`),
    codex: place(`codex/${rollout}`, ".codex", "sessions", "2026", "11", "15", rollout),
    gemini: place(`gemini/${chat}`, ".gemini", "tmp", "project", "chats", chat),
    opencode: layOutOpencode(home),
    pi: place("pi/branches.jsonl", ".pi", "agent", "sessions", "--home-dev-project--", `2026-11-15_${pi}.jsonl`),
  };
}

interface Exported {
  readonly info: Readonly<Record<string, unknown>> & { readonly time: Times };
  readonly messages: readonly {
    readonly info: Readonly<Record<string, unknown>> & { readonly time: Times };
    readonly parts: readonly Readonly<Record<string, unknown>>[];
  }[];
}

interface Times {
  readonly created: number;
  readonly updated?: number;
}

/** The database that the program would have written for what it exported. */
function layOutOpencode(home: string): string {
  const path = join(home, ".local", "share", "opencode", "opencode.db");
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  // One wait for the disk instead of many.
  database.exec("BEGIN");
  database.exec(
    "CREATE TABLE session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)",
  );
  database.exec("CREATE TABLE message (id, session_id, time_created, time_updated, data)");
  database.exec("CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data)");
  for (const id of [FOREIGN_IDS.opencode, FOREIGN_IDS.opencodeOther]) {
    const { info, messages } = JSON.parse(readFileSync(join(INTEROP, "opencode", `${id}.json`), "utf8")) as Exported;
    const texts = [info.slug, info.directory, info.title, info.version].map(String);
    const times = [info.time.created, info.time.updated ?? info.time.created];
    database.run("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?)", [
      id,
      String(info.projectID),
      null,
      ...texts,
      ...times,
    ]);
    for (const { info: said, parts } of messages) {
      const { id: message, sessionID: _session, ...data } = said;
      const { created } = said.time;
      database.run("INSERT INTO message VALUES (?,?,?,?,?)", [
        ...[String(message), id, created, created, JSON.stringify(data)],
      ]);
      for (const { id: part, messageID: _message, sessionID: _of, ...rest } of parts) {
        database.run("INSERT INTO part VALUES (?,?,?,?,?,?)", [
          ...[String(part), String(message), id, created, created, JSON.stringify(rest)],
        ]);
      }
    }
  }
  database.exec("COMMIT");
  database.close();
  return path;
}

/** Name, time and bytes of everything below a folder: nothing of it may ever change. */
export function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stats = statSync(path);
      if (!stats.isFile()) return `${name}/ ${stats.mtimeMs}`;
      return `${name} ${stats.mtimeMs} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
    });
}
