/** Decides which frames can be merged for a client that is behind. */
import { isRecord } from "@bough/session/text/index.js";
import type { UpdateLine } from "../../output/protocol-output.js";

/** Chunks of text are joined; newer tool output replaces older output. */
export function frameUpdate(frame: object): UpdateLine<object> | undefined {
  const { method, params } = frame as { readonly method?: unknown; readonly params?: unknown };
  if (method !== "session/update" || !isRecord(params) || !isRecord(params.update)) return undefined;
  const { sessionId, update } = params;
  const { sessionUpdate, messageId, toolCallId, content } = update;
  const key = `${String(sessionId)} ${String(sessionUpdate)} ${String(messageId ?? toolCallId)}`;
  if (sessionUpdate === "tool_call_update") {
    const isOutputOnly = Object.keys(update).length === 3 && toolCallId !== undefined && content !== undefined;
    return isOutputOnly ? { key, line: frame } : undefined;
  }
  if (sessionUpdate !== "agent_message_chunk" && sessionUpdate !== "agent_thought_chunk") return undefined;
  if (typeof messageId !== "string" || "_meta" in update || !isTextOnly(content)) return undefined;
  const joined = (earlier: object) => {
    const before = textIn(earlier);
    return {
      ...frame,
      params: { ...params, update: { ...update, content: { type: "text", text: before + content.text } } },
    };
  };
  return { key, line: frame, joined };
}

interface TextContent {
  readonly type: "text";
  readonly text: string;
}

function isTextOnly(content: unknown): content is TextContent {
  return (
    isRecord(content) &&
    content.type === "text" &&
    typeof content.text === "string" &&
    Object.keys(content).length === 2
  );
}

function textIn(frame: object): string {
  const { params } = frame as { readonly params: { readonly update: { readonly content: TextContent } } };
  return params.update.content.text;
}
