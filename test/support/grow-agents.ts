/** One more prompt in a session of each agent, written as its program would go on. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Database } from "node-sqlite3-wasm";
import { AGENT_IDS, type AgentsHome } from "./agents-home.js";
import { recordsIn } from "./interop-source.js";

/** Behind everything the samples hold. */
const LATER_MS = Date.UTC(2026, 10, 15, 10);
const LATER = new Date(LATER_MS).toISOString();

export function growClaude({ claude }: Pick<AgentsHome, "claude">, text: string): void {
  const said = recordsIn(claude).map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const answer = said.findLast(({ type }) => type === "assistant");
  const { cwd, sessionId, version } = answer ?? {};
  append(claude, {
    ...{ parentUuid: answer?.uuid, isSidechain: false, userType: "external", cwd, sessionId, version },
    ...{ type: "user", message: { role: "user", content: text } },
    ...{ uuid: "5a0f1c2d-0000-4000-8000-000000000001", timestamp: LATER },
  });
}

export function growCodex({ codex }: Pick<AgentsHome, "codex">, text: string): void {
  const content = [{ type: "input_text", text }];
  append(codex, { timestamp: LATER, type: "response_item", payload: { type: "message", role: "user", content } });
}

export function growGemini({ gemini }: Pick<AgentsHome, "gemini">, text: string): void {
  const id = "5a0f1c2d-0000-4000-8000-000000000002";
  append(gemini, { id, timestamp: LATER, type: "user", content: [{ text }] });
}

export function growPi({ pi }: Pick<AgentsHome, "pi">, text: string): void {
  const last = JSON.parse(recordsIn(pi).at(-1) ?? "{}") as { readonly id: string };
  const message = { role: "user", content: [{ type: "text", text }], timestamp: LATER_MS };
  append(pi, { type: "message", id: "5a0f1c2d", parentId: last.id, timestamp: LATER, message });
}

const MESSAGE = "msg_2de6c383b001xrYwP3ktb6FpxX";
const PART = "prt_2de6c3842001KNxAtlUkVBS1cd";
const PROMPT = {
  ...{ role: "user", time: { created: LATER_MS }, agent: "build" },
  ...{ model: { providerID: "mock", modelID: "mock-model" } },
};

/** The session that is in the database. */
export function growDatabase({ opencode }: Pick<AgentsHome, "opencode">, text: string): void {
  const session = AGENT_IDS.opencode;
  const database = new Database(opencode);
  const times = [LATER_MS, LATER_MS];
  database.run("INSERT INTO message VALUES (?,?,?,?,?)", [MESSAGE, session, ...times, JSON.stringify(PROMPT)]);
  const part = JSON.stringify({ type: "text", text });
  database.run("INSERT INTO part VALUES (?,?,?,?,?,?)", [PART, MESSAGE, session, ...times, part]);
  database.run("UPDATE session SET time_updated = ? WHERE id = ?", [LATER_MS, session]);
  database.close();
}

/** The session that is in files. */
export function growFiles({ opencodeSubagent }: Pick<AgentsHome, "opencodeSubagent">, text: string): void {
  const sessionID = AGENT_IDS.opencodeSubagent;
  const storage = dirname(dirname(dirname(opencodeSubagent)));
  const part = { type: "text", text, id: PART, sessionID, messageID: MESSAGE };
  mkdirSync(join(storage, "part", MESSAGE));
  writeFileSync(
    join(storage, "message", sessionID, `${MESSAGE}.json`),
    JSON.stringify({ ...PROMPT, id: MESSAGE, sessionID }),
  );
  writeFileSync(join(storage, "part", MESSAGE, `${PART}.json`), JSON.stringify(part));
  const session = JSON.parse(readFileSync(opencodeSubagent, "utf8")) as { readonly time: object };
  writeFileSync(opencodeSubagent, JSON.stringify({ ...session, time: { ...session.time, updated: LATER_MS } }));
}

function append(path: string, record: object): void {
  appendFileSync(path, `${JSON.stringify(record)}\n`);
}
