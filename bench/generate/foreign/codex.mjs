/** A rollout of Codex: items for the model, surrounded by events that repeat their texts. */
import { textOf, workSession } from "./work-session.mjs";

const THREAD = "01990000-0000-7000-8000-000000000001";
const ROLL_BACK_AFTER = 400;

/** Endless lines, without newlines. @param {number} seed @returns {Generator<string, never, void>} */
export function* codexLines(seed) {
  let time = "2025-01-06T09:00:00.000Z";
  let turns = 0;
  let total = 0;
  const line = (/** @type {string} */ type, /** @type {object} */ payload) =>
    JSON.stringify({ timestamp: time, type, payload });
  yield line("session_meta", {
    ...{ id: THREAD, timestamp: time, cwd: "/home/dev/project", originator: "codex_cli_rs", cli_version: "0.100.0" },
    ...{ source: "cli", model_provider: "openai" },
  });
  for (const said of workSession(seed)) {
    time = said.time;
    if (said.role === "user") {
      if (turns > 0)
        yield line("event_msg", { type: "task_complete", turn_id: `turn-${turns}`, last_agent_message: null });
      if (turns > 0 && turns % ROLL_BACK_AFTER === 0)
        yield line("event_msg", { type: "thread_rolled_back", num_turns: 4 });
      turns++;
      yield line("event_msg", { type: "task_started", turn_id: `turn-${turns}`, model_context_window: 200_000 });
      yield line("turn_context", {
        ...{ turn_id: `turn-${turns}`, cwd: "/home/dev/project", approval_policy: "on-request" },
        ...{ sandbox_policy: { type: "workspace-write" }, model: "gpt-5-codex", effort: "medium", summary: "auto" },
      });
      yield line("response_item", {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: textOf(said) }],
      });
      yield line("event_msg", { type: "user_message", message: textOf(said), images: [] });
      continue;
    }
    if (said.role === "toolResult") {
      yield line("response_item", { type: "function_call_output", call_id: said.toolCallId, output: textOf(said) });
      continue;
    }
    for (const block of said.content) yield* blockLines(block, line);
    total += said.usage?.totalTokens ?? 0;
    const last = {
      input_tokens: (said.usage?.input ?? 0) + (said.usage?.cacheRead ?? 0),
      ...{ cached_input_tokens: said.usage?.cacheRead ?? 0, output_tokens: said.usage?.output ?? 0 },
      ...{ reasoning_output_tokens: 0, total_tokens: said.usage?.totalTokens ?? 0 },
    };
    const info = { total_token_usage: { ...last, total_tokens: total }, last_token_usage: last };
    yield line("event_msg", {
      type: "token_count",
      info: { ...info, model_context_window: 200_000 },
      rate_limits: null,
    });
  }
  throw new Error("bug: an endless conversation ended");
}

/**
 * @param {import("./work-session.mjs").Block} block
 * @param {(type: string, payload: object) => string} line
 */
function* blockLines(block, line) {
  if (block.type === "thinking") {
    const summary = [{ type: "summary_text", text: block.thinking }];
    yield line("response_item", { type: "reasoning", summary, encrypted_content: block.thinkingSignature });
    yield line("event_msg", { type: "agent_reasoning", text: block.thinking });
  } else if (block.type === "toolCall") {
    const call = { name: block.name, arguments: JSON.stringify(block.arguments), call_id: block.id };
    yield line("response_item", { type: "function_call", ...call });
  } else {
    const content = [{ type: "output_text", text: block.text }];
    yield line("response_item", { type: "message", role: "assistant", content });
    yield line("event_msg", { type: "agent_message", message: block.text });
  }
}
