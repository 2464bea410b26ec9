/** A transcript of Claude Code: a record for each block of an answer, linked by `parentUuid`, with rewinds. */
import { textOf, uuidAt, workSession } from "./work-session.mjs";

const REWIND_AFTER = 400;
const SESSION = "5f0c0000-0000-4000-8000-000000000001";

/** Endless lines, without newlines. @param {number} seed @returns {Generator<string, never, void>} */
export function* claudeLines(seed) {
  let count = 0;
  /** @type {string | null} */
  let parent = null;
  /** Ends of turns, to go back to. @type {(string | null)[]} */
  const turns = [];
  const record = (/** @type {string} */ time, /** @type {object} */ fields) => {
    const uuid = uuidAt(count++);
    const line = JSON.stringify({
      ...{ parentUuid: parent, isSidechain: false, userType: "external", cwd: "/home/dev/project" },
      ...{ sessionId: SESSION, version: "2.1.100", gitBranch: "main", uuid, timestamp: time, ...fields },
    });
    parent = uuid;
    return line;
  };
  for (const said of workSession(seed)) {
    const { role, time, place } = said;
    if (role === "user") {
      turns.push(parent);
      if (turns.length % REWIND_AFTER === 0) parent = turns.at(-8) ?? null;
      yield record(time, { type: "user", message: { role: "user", content: textOf(said) } });
      continue;
    }
    if (role === "toolResult") {
      const result = {
        type: "tool_result",
        tool_use_id: said.toolCallId,
        content: textOf(said),
        is_error: said.isError,
      };
      yield record(time, { type: "user", message: { role: "user", content: [result] } });
      continue;
    }
    for (const block of said.content) {
      const message = {
        ...{ id: `msg_${place}`, type: "message", role: "assistant", model: "claude-sonnet-4-5" },
        ...{ content: [blockOf(block)], stop_reason: null, stop_sequence: null },
        usage: {
          input_tokens: said.usage?.input ?? 0,
          output_tokens: said.usage?.output ?? 0,
          cache_read_input_tokens: said.usage?.cacheRead ?? 0,
          cache_creation_input_tokens: 0,
        },
      };
      yield record(time, { type: "assistant", requestId: `req_${place}`, message });
    }
  }
  throw new Error("bug: an endless conversation ended");
}

/** @param {import("./work-session.mjs").Block} block */
function blockOf(block) {
  if (block.type === "thinking") {
    return { type: "thinking", thinking: block.thinking, signature: block.thinkingSignature };
  }
  if (block.type === "toolCall") {
    return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
  }
  return { type: "text", text: block.text };
}
