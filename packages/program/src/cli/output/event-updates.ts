/** Which events need not be sent one by one to a client that is behind. */
import type { UpdateLine } from "./protocol-output.js";

type Fields = Readonly<Record<string, unknown>>;

/** Events with a piece of a text, which can be joined, and the fields that say of which text. */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  message_update: ["part"],
  tool_input: ["toolCallId", "toolName"],
  summary_update: [],
};

/** What the event is an update of; undefined for an event that is sent as it is. Works for events of other agents too. */
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

/** The same for a line that has the event in it. */
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
