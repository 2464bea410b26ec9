/** A chat of Gemini CLI: each answer is written once as it streams, and again with its calls and results. */
import { textOf, uuidAt, workSession } from "./work-session.mjs";

/** Endless lines, without newlines. @param {number} seed @returns {Generator<string, never, void>} */
export function* geminiLines(seed) {
  const start = "2025-01-06T09:00:00.000Z";
  const meta = {
    sessionId: uuidAt(1),
    projectHash: "0".repeat(64),
    startTime: start,
    lastUpdated: start,
    kind: "main",
  };
  yield JSON.stringify(meta);
  /** The answer whose call still runs. @type {Record<string, unknown> | undefined} */
  let open;
  for (const said of workSession(seed)) {
    const { role, place, time } = said;
    const set = JSON.stringify({ $set: { lastUpdated: time } });
    if (role === "user") {
      yield JSON.stringify({ id: uuidAt(place + 2), timestamp: time, type: "user", content: [{ text: textOf(said) }] });
      yield set;
      continue;
    }
    if (role === "toolResult") {
      if (open === undefined) throw new Error("bug: a result without its call");
      const [call] = /** @type {Record<string, unknown>[]} */ (open.toolCalls);
      const response = { id: said.toolCallId, name: call?.name, response: { output: textOf(said) } };
      const answered = {
        ...call,
        status: said.isError ? "error" : "success",
        result: [{ functionResponse: response }],
      };
      yield JSON.stringify({ ...open, toolCalls: [answered] });
      yield set;
      continue;
    }
    const thoughts = said.content.flatMap(({ thinking }) =>
      thinking === undefined ? [] : [{ subject: "Thinking", description: thinking, timestamp: time }],
    );
    const calls = said.content.flatMap(({ type, id, name, arguments: args }) =>
      type === "toolCall" ? [{ id, name, args, status: "executing", timestamp: time }] : [],
    );
    const { input = 0, output = 0, cacheRead = 0, totalTokens = 0 } = said.usage ?? {};
    const tokens = { input: input + cacheRead, output, cached: cacheRead, thoughts: 0, tool: 0, total: totalTokens };
    const answer = {
      ...{ id: uuidAt(place + 2), timestamp: time, type: "gemini", content: textOf(said), thoughts, tokens },
      model: "gemini-3-pro",
    };
    open = { ...answer, toolCalls: calls };
    yield JSON.stringify(answer);
    yield set;
  }
  throw new Error("bug: an endless conversation ended");
}
