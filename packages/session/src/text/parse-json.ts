import { attempt } from "./attempt.js";
import { isRecord } from "./is-record.js";

/** The value of a JSON text, or undefined if it is not valid. */
export function parsedJson(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown);
}

/** Like `parsedJson`, for an object; undefined for any other value. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsedJson(text);
  return isRecord(value) ? value : undefined;
}
