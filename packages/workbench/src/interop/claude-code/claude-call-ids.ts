/** Gives calls and results without IDs matching ones that are the same on every read. */
import { isRecord } from "@bough/session/text/index.js";
import { foreignId } from "../foreign-entry.js";
import type { JsonObject } from "./claude-record.js";

/** Results without an ID answer the calls without one, in order. */
export class MissingCallIds {
  readonly #waiting: string[] = [];

  /** The record with an ID for every call and result; the record itself if none is missing. */
  fill(record: JsonObject, key: string): JsonObject {
    return withIds(record, (block, at) => {
      const made = madeId(key, at);
      if (block.type === "tool_result") return this.#waiting.shift() ?? made;
      this.#waiting.push(made);
      return made;
    });
  }
}

/** Like `fill`, for a record that was filled before: `results` are the IDs of all its results. */
export function withKnownIds(record: JsonObject, key: string, results: readonly string[]): JsonObject {
  const isResult = (block: unknown): boolean => isRecord(block) && block.type === "tool_result";
  const content = contentOf(record);
  return withIds(
    record,
    (block, at) =>
      (isResult(block) ? results[content.slice(0, at).filter(isResult).length] : undefined) ?? madeId(key, at),
  );
}

function withIds(record: JsonObject, idFor: (block: JsonObject, at: number) => string): JsonObject {
  const content = contentOf(record);
  if (!content.some((block) => fieldWithoutId(block, record.type) !== undefined)) return record;
  const filled = content.map((block, at) => {
    const field = fieldWithoutId(block, record.type);
    return field === undefined ? block : { ...(block as JsonObject), [field]: idFor(block as JsonObject, at) };
  });
  return { ...record, message: { ...(record.message as JsonObject), content: filled } };
}

function contentOf({ message }: JsonObject): readonly unknown[] {
  return isRecord(message) && Array.isArray(message.content) ? message.content : [];
}

/** The field in which a block is missing its ID; undefined if it has one or needs none. */
function fieldWithoutId(block: unknown, type: unknown): "id" | "tool_use_id" | undefined {
  if (!isRecord(block)) return undefined;
  if (type === "assistant" && block.type === "tool_use" && typeof block.id !== "string") return "id";
  if (type === "user" && block.type === "tool_result" && typeof block.tool_use_id !== "string") return "tool_use_id";
  return undefined;
}

/** Uses only characters that the provider allows. */
function madeId(key: string, at: number): string {
  return `toolu_${foreignId(key, at)}`;
}
