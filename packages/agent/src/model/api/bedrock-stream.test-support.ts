import { crc32 } from "node:zlib";
import type { Spoken } from "../wire-protocols.test-support.js";
import type { WireReply } from "../wire-server.test-support.js";

/** An answer in Bedrock's binary stream format. */
export function bedrockSays({ parts, stop }: Spoken): WireReply {
  const frames = [frame("messageStart", { role: "assistant" })];
  for (const [contentBlockIndex, part] of parts.entries()) {
    const delta = (value: object) => frames.push(frame("contentBlockDelta", { contentBlockIndex, delta: value }));
    if ("thinking" in part) {
      delta({ reasoningContent: { text: part.thinking } });
      delta({ reasoningContent: { signature: part.signature } });
    } else if ("text" in part) delta({ text: part.text });
    else {
      const start = { toolUse: { toolUseId: part.call, name: part.name } };
      frames.push(frame("contentBlockStart", { contentBlockIndex, start }));
      delta({ toolUse: { input: part.input } });
    }
    frames.push(frame("contentBlockStop", { contentBlockIndex }));
  }
  const usage = { inputTokens: 12, outputTokens: 9, cacheReadInputTokens: 50, cacheWriteInputTokens: 100 };
  frames.push(
    frame("messageStop", { stopReason: { stop: "end_turn", length: "max_tokens", toolUse: "tool_use" }[stop] }),
    frame("metadata", { usage: { ...usage, totalTokens: 171 } }),
  );
  return { bytes: Buffer.concat(frames), type: "application/vnd.amazon.eventstream" };
}

/** Frame: length, length of the headers, checksum, headers, payload, checksum. */
function frame(type: string, payload: object): Buffer {
  const headers = Buffer.concat([
    header(":event-type", type),
    header(":content-type", "application/json"),
    header(":message-type", "event"),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const start = Buffer.alloc(12);
  start.writeUInt32BE(headers.length + body.length + 16, 0);
  start.writeUInt32BE(headers.length, 4);
  start.writeUInt32BE(crc32(start.subarray(0, 8)), 8);
  const whole = Buffer.concat([start, headers, body, Buffer.alloc(4)]);
  whole.writeUInt32BE(crc32(whole.subarray(0, -4)), whole.length - 4);
  return whole;
}

function header(name: string, value: string): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(value.length);
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(7), size, Buffer.from(value)]);
}
