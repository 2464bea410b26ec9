/** Small helper functions of pi-ai. */
import { randomBytes } from "node:crypto";
import { OVERFLOW_PATTERNS } from "@bough/agent/model/internal.js";
import { defined, parsedJson } from "@bough/session/text/index.js";
import { Type } from "typebox";

/** A string enumeration in a form that every provider accepts. */
export function StringEnum(
  values: readonly string[],
  options: { description?: string; default?: string } = {},
): object {
  const { description, default: preset } = options;
  return Type.Unsafe({ type: "string", enum: [...values], ...defined({ description, default: preset }) });
}

/** An ID that sorts by time. */
export function uuidv7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export function getOverflowPatterns(): readonly RegExp[] {
  return OVERFLOW_PATTERNS;
}

interface EndedMessage {
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly usage?: { readonly input?: number; readonly cacheRead?: number; readonly output?: number };
}

/** Whether an answer failed, or came back empty, because the context was too long. */
export function isContextOverflow({ stopReason, errorMessage, usage }: EndedMessage, contextWindow?: number): boolean {
  if (stopReason === "error") return OVERFLOW_PATTERNS.some((pattern) => pattern.test(errorMessage ?? ""));
  const read = (usage?.input ?? 0) + (usage?.cacheRead ?? 0);
  if (contextWindow === undefined || contextWindow <= 0) return false;
  return stopReason === "length" ? usage?.output === 0 && read >= contextWindow * 0.99 : read > contextWindow;
}

/** Parses JSON that may be cut off, as far as possible; returns an empty object otherwise. */
export function parseStreamingJson(text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return {};
  return parsedJson(text) ?? parsedJson(closed(text)) ?? {};
}

/** The text with all open strings and brackets closed. */
function closed(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") open.push("}");
    else if (character === "[") open.push("]");
    else if (character === "}" || character === "]") open.pop();
  }
  const tidy = (inString ? `${text.replace(/\\$/, "")}"` : text)
    .replace(/[\s,]+$/, "")
    .replace(/,?\s*"(?:[^"\\]|\\.)*"\s*:\s*$/, "");
  const whole = tidy + open.reverse().join("");
  // Drop a key whose colon has not arrived yet.
  return parsedJson(whole) === undefined ? whole.replace(/,?\s*"(?:[^"\\]|\\.)*"\s*(?=[}\]]*$)/, "") : whole;
}

const TRANSIENT =
  /overloaded|rate.?limit|too many requests|timed? ?out|timeout|socket|connection|network|fetch failed|terminated|\b(?:429|500|502|503|504|529)\b/i;

/** Whether retrying may help: yes for a busy server or a lost connection, no for a wrong request. */
export function isRetryableAssistantError(message: EndedMessage): boolean {
  if (message.stopReason !== "error" || isContextOverflow(message)) return false;
  return TRANSIENT.test(message.errorMessage ?? "");
}
