/** Builds the index of `bough mcp`, or loads it and asks questions. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { blamedFile } from "../blamed-file.mjs";

const WARM = 3;

/**
 * @param {{ history: string, agent: string, session: string, home: string, mode: "build" | "ask", questions: readonly { tool: string, input: Record<string, unknown> }[], rounds: number, steps: number }} input
 */
export async function run({ history: door, agent, session, home, mode, questions, rounds, steps }) {
  const own = join(home, ".bough");
  // `blame` reads what was recorded in Bough's own folder.
  process.env.BOUGH_HOME = own;
  const file = await blamedFile({ home, agent, session, steps });
  const { History, answerBlame, answerOpen, answerSearch, answerSessions, answerTried } = await import(door);
  const cache = join(own, "cache", "history");
  if (mode === "build") rmSync(cache, { recursive: true, force: true });
  // Environment variables may name other folders.
  const places = { home: own, agents: { home, environment: {} } };
  const history = new History(places);
  const before = process.cpuUsage();
  const start = performance.now();
  await history.refresh();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  /** @type {Record<string, number>} */
  const extra = {
    cpu: (user + system) / 1000,
    index: readdirSync(cache).reduce((sum, name) => sum + statSync(join(cache, name)).size, 0),
  };
  const check = history.sessions.length;
  if (mode === "build") return { ms, check, extra };
  const options = { now: () => new Date(), timeouts: { refresh: 30, search: 50 } };
  const tools = {
    ...{ search: answerSearch, tried: answerTried, open: answerOpen, sessions: answerSessions },
    blame: answerBlame,
  };
  const [longest] = [...history.sessions].sort((a, b) => b.facts.entries - a.facts.entries);
  const turn = longest.facts.turns[Math.floor(longest.facts.turns.length / 2)];
  for (const [at, { tool, input }] of questions.entries()) {
    const address = `${longest.reference}#${turn.id}`;
    const question = tool === "open" ? { address } : tool === "blame" ? { ...input, file, cwd: home } : input;
    const times = [];
    const used = [];
    let bytes = 0;
    for (let round = rounds > 1 ? -WARM : 0; round < rounds; round++) {
      const asked = performance.now();
      const before = process.cpuUsage();
      const { text } = await tools[/** @type {keyof typeof tools} */ (tool)](history, question, options);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times.push(performance.now() - asked);
      if (round >= 0) used.push((user + system) / 1000);
      bytes = Buffer.byteLength(text);
    }
    times.sort((a, b) => a - b);
    extra[`min ${at}`] = times[0] ?? 0;
    extra[`p50 ${at}`] = times[Math.floor(times.length / 2)] ?? 0;
    extra[`p95 ${at}`] = times[Math.floor(times.length * 0.95)] ?? 0;
    used.sort((a, b) => a - b);
    extra[`cpu ${at}`] = used[Math.floor(used.length / 2)] ?? 0;
    extra[`bytes ${at}`] = bytes;
  }
  return { ms, check, extra };
}
