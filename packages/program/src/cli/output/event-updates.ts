/** Decides which events can be merged for a client that is behind. */
import type { UpdateLine } from "./protocol-output.js";

type Fields = Readonly<Record<string, unknown>>;

/** Events with a chunk of text, which can be joined, and the fields that identify the text. */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  message_update: ["part"],
  tool_input: ["toolCallId", "toolName"],
  summary_update: [],
};

/** What the event updates; undefined for an event that must be sent unchanged. Works for events of other agents too. */
export function eventUpdate(event: object): UpdateLine<object> | undefined {
  const fields = event as Fields;
  const type = String(fields.type);
  if (type === "agent_event" && typeof fields.event === "object" && fields.event !== null) {
    return within(`${type} ${String(fields.agent)}`, eventUpdate(fields.event), (inner) => ({
      ...event,
      event: inner,
    }));
  }
  if (type === "tool_update") return { key: `${type} ${String(fields.toolCallId)}`, line: event };
  const named = PIECES[type];
  if (named === undefined) return undefined;
  const joined = (earlier: object) => ({
    ...event,
    delta: `${String((earlier as Fields).delta)}${String(fields.delta)}`,
  });
  return { key: [type, ...named.map((name) => String(fields[name]))].join(" "), line: event, joined };
}

/** The same for a line that contains the event. */
export function within(
  place: string,
  update: UpdateLine<object> | undefined,
  wrapped: (event: object) => object,
): UpdateLine<object> | undefined {
  if (update === undefined) return undefined;
  const { key, line, joined } = update;
  const whole = { key: `${place} ${key}`, line: wrapped(line) };
  if (joined === undefined) return whole;
  return { ...whole, joined: (earlier) => wrapped(joined((earlier as { readonly event: object }).event)) };
}
