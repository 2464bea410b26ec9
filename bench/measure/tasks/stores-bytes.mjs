/**
 * What a conversation costs in PostgreSQL: as lines of a store, and as checkpoints of LangGraph's saver, which is
 * installed into a temporary folder for this run. Without it (no network) its figures are missing.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { textPool } from "../../generate/text.mjs";
import { withServer } from "../stores/server.mjs";

/** @param {{ door: string, folder: string, messages: number, beside: boolean }} input */
export function run({ door, folder, messages, beside }) {
  return withServer(async (url) => {
    const { prose } = textPool();
    const texts = Array.from({ length: messages }, (_, n) => `${n}: ${prose[(n * 7) % prose.length]}`);
    const client = new pg.Client(url("postgres"));
    await client.connect();
    for (const name of ["bough", "langgraph"]) await client.query(`create database ${name}`);
    await client.end();
    const own = await boughBytes(door, url("bough"), texts);
    const other = beside ? await langGraphBytes(folder, url("langgraph"), texts) : {};
    return { ms: 0, check: messages, extra: { ...own, ...other } };
  });
}

/** @param {string} door @param {string} url @param {string[]} texts */
async function boughBytes(door, url, texts) {
  const { initStore, openStore } = await import(door);
  await initStore(url);
  const empty = await sizeOf(url, "bough");
  const store = await openStore(url, { replica: { id: "b".repeat(16), name: "bench" }, home: "/nonexistent" });
  let lineBytes = 0;
  // One push per turn, as when a conversation grows.
  for (let n = 0; n < texts.length; n += 2) {
    const lines = [n, n + 1].map((k) => lineOf(k, texts[k] ?? ""));
    lineBytes += lines.reduce((sum, line) => sum + line.length, 0);
    await store.push("one", lines);
  }
  await store.close();
  const boughBytes = (await sizeOf(url, "bough")) - empty;
  return { lineBytes, boughBytes, rowBytes: await rowBytes(url) };
}

/** @param {number} n @param {string} text */
function lineOf(n, text) {
  const role = n % 2 === 0 ? "user" : "assistant";
  const content = role === "user" ? text : [{ type: "text", text }];
  const parentId = n === 0 ? null : `m${n - 1}`;
  const message = { role, content, timestamp: 1 };
  return Buffer.from(
    JSON.stringify({ type: "message", id: `m${n}`, parentId, timestamp: "2026-01-01T00:00:00.000Z", message }),
  );
}

/** @param {string} folder @param {string} url @param {string[]} texts @returns {Promise<Record<string, number>>} */
async function langGraphBytes(folder, url, texts) {
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  const names = ["@langchain/langgraph", "@langchain/core", "@langchain/langgraph-checkpoint-postgres"];
  try {
    execFileSync("npm", [...words, ...names], { stdio: "ignore", timeout: 180_000 });
  } catch {
    return {};
  }
  const module = join(folder, "talk.mjs");
  writeFileSync(module, TALK);
  const { talk } = await import(pathToFileURL(module).href);
  const empty = await sizeOf(url, "public");
  await talk(url, texts);
  return { langGraphBytes: (await sizeOf(url, "public")) - empty };
}

/** A graph with one node that answers; each turn is one invocation on the same thread. */
const TALK = `
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";

export async function talk(url, texts) {
  const saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  let turn = 0;
  const answer = () => ({ messages: [new AIMessage({ id: "a" + turn, content: texts[turn + 1] })] });
  const graph = new StateGraph(MessagesAnnotation).addNode("answer", answer);
  const app = graph.addEdge("__start__", "answer").addEdge("answer", "__end__").compile({ checkpointer: saver });
  for (turn = 0; turn < texts.length; turn += 2) {
    const messages = [new HumanMessage({ id: "u" + turn, content: texts[turn] })];
    await app.invoke({ messages }, { configurable: { thread_id: "one" } });
  }
  await saver.end();
}
`;

/** The table of entries without its indexes. @param {string} url */
async function rowBytes(url) {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query("select pg_table_size('bough.entry') as bytes");
  await client.end();
  return Number(rows[0].bytes);
}

/** Tables, their overflow storage, and indexes. @param {string} url @param {string} schema */
async function sizeOf(url, schema) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("vacuum");
    const { rows } = await client.query(
      "select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'",
      [schema],
    );
    return Number(rows[0].bytes);
  } finally {
    await client.end();
  }
}
