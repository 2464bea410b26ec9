/** An imported entry without the records of the other agent that it carries along for the way back. */
import type { SessionEntry } from "../entry/index.js";
import { isRecord } from "../text/index.js";

/** Kept with every import: the record of something that has no equal here, and the paths and hashes of the source. */
const HOLDERS: ReadonlySet<string> = new Set(["bough.import", "bough.origin"]);
/** What a note says of itself without its record. */
const FACTS: ReadonlySet<string> = new Set(["agent", "type", "line"]);

/** The entry itself where it carries none. */
export function withoutOriginal(entry: SessionEntry): SessionEntry {
  if (entry.type === "custom" && HOLDERS.has(entry.customType) && isRecord(entry.data)) {
    const facts = Object.entries(entry.data).filter(([name]) => FACTS.has(name));
    return { ...entry, data: Object.fromEntries(facts) };
  }
  const carrier = entry as Carrier;
  const inside = isRecord(carrier.details) && "origin" in carrier.details;
  if (!("origin" in entry) && !inside) return entry;
  const { origin: _origin, details, message, ...rest } = carrier;
  return {
    ...rest,
    ...(details === undefined ? {} : { details: inside ? without(details, "origin") : details }),
    ...(message === undefined ? {} : { message: withoutScreenCopy(message) }),
  } as unknown as SessionEntry;
}

/** Where readers put what they keep. */
interface Carrier {
  readonly origin?: unknown;
  readonly details?: unknown;
  readonly message?: unknown;
}

/** Of a result, what only the other agent's screen used: the output again. The link to a sub-agent stays. */
function withoutScreenCopy(message: unknown): unknown {
  if (!isRecord(message) || message.role !== "toolResult" || !isRecord(message.details)) return message;
  const { subagent } = message.details;
  return { ...without(message, "details"), ...(subagent === undefined ? {} : { details: { subagent } }) };
}

function without(value: unknown, name: string): object {
  return Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== name));
}
