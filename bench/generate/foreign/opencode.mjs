/** A database of opencode with one session: rows for messages and for their parts, indexed as the program does it. */
import { rmSync, statSync } from "node:fs";
import sqlite from "node-sqlite3-wasm";
import { timeOf } from "../draft.mjs";
import { textOf, workSession } from "./work-session.mjs";

const SESSION = "ses_000000000000benchmark00000";
const TABLES = [
  `CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
    directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text,
    time_created integer NOT NULL, time_updated integer NOT NULL)`,
  `CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL)`,
  `CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`,
  "CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id)",
  "CREATE INDEX part_message_id_id_idx ON part (message_id, id)",
  "CREATE INDEX part_session_idx ON part (session_id)",
];

/**
 * @param {string} path
 * @param {{ bytes: number, seed: number }} size
 * @returns {{ entries: number, bytes: number }}
 */
export function writeOpencode(path, { bytes, seed }) {
  rmSync(path, { force: true });
  const database = new sqlite.Database(path);
  database.exec("PRAGMA journal_mode=OFF");
  for (const sql of TABLES) database.exec(sql);
  database.exec("BEGIN");
  const times = [timeOf(0), timeOf(1)];
  database.run("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?,?)", [
    ...[SESSION, "global", null, "bench", "/home/dev/project", "A long session", "1.18.0", null, ...times],
  ]);
  const message = database.prepare("INSERT INTO message VALUES (?,?,?,?,?)");
  const part = database.prepare("INSERT INTO part VALUES (?,?,?,?,?,?)");
  let entries = 1;
  let written = 0;
  const add = (/** @type {number} */ time, /** @type {{ info: object, parts: readonly object[] }} */ made) => {
    const id = `msg_${String(entries).padStart(12, "0")}`;
    const data = JSON.stringify(made.info);
    message.run([id, SESSION, time, time, data]);
    written += data.length;
    entries++;
    for (const [at, value] of made.parts.entries()) {
      const text = JSON.stringify(value);
      part.run([`prt_${id}_${at}`, id, SESSION, time, time, text]);
      written += text.length;
      entries++;
    }
  };
  /** The answer whose call still runs. @type {import("./work-session.mjs").Said & { place: number } | undefined} */
  let open;
  for (const said of workSession(seed)) {
    if (said.role === "user") {
      const info = { role: "user", time: { created: timeOf(said.place) }, agent: "build" };
      add(timeOf(said.place), { info, parts: [{ type: "text", text: textOf(said) }] });
    } else if (said.role === "toolResult") {
      if (open !== undefined) add(timeOf(open.place), answerOf(open, said));
    } else if (said.content.some(({ type }) => type === "toolCall")) open = said;
    else add(timeOf(said.place), answerOf(said));
    if (written >= bytes && said.role === "toolResult") break;
  }
  database.exec("COMMIT");
  message.finalize();
  part.finalize();
  database.close();
  return { entries, bytes: statSync(path).size };
}

/**
 * @param {import("./work-session.mjs").Said & { place: number }} answer
 * @param {import("./work-session.mjs").Said} [result]
 */
function answerOf(answer, result) {
  const created = timeOf(answer.place);
  const { input = 0, output = 0, cacheRead = 0 } = answer.usage ?? {};
  const info = {
    ...{ role: "assistant", time: { created, completed: created + 1 }, modelID: "claude-sonnet-4-5" },
    ...{ providerID: "anthropic", mode: "build", agent: "build", cost: 0 },
    ...{ path: { cwd: "/home/dev/project", root: "/home/dev/project" }, finish: result ? "tool-calls" : "stop" },
    tokens: { input, output, reasoning: 0, cache: { read: cacheRead, write: 0 } },
  };
  const parts = answer.content.map((block) => {
    if (block.type === "thinking") return { type: "reasoning", text: block.thinking, time: { start: created } };
    if (block.type !== "toolCall") return { type: "text", text: block.text };
    const state = {
      ...{ status: "completed", input: block.arguments, output: result === undefined ? "" : textOf(result) },
      ...{ title: "", metadata: {}, time: { start: created, end: created } },
    };
    return { type: "tool", tool: block.name, callID: block.id, state };
  });
  return { info, parts: [{ type: "step-start" }, ...parts, { type: "step-finish", reason: "stop", cost: 0 }] };
}
