/** Checks whether one request to a model starts with the whole prompt of another, as prompt caches require. */
import { isRecord } from "../text/index.js";

/** The result of comparing two requests: `ok`, or where the second diverges from the first. */
export type PromptPrefix =
  | { readonly ok: true; readonly shared: number; readonly added: number }
  /** `at` names the part that differs: a field such as `tools`, or the index of a block of the conversation. */
  | {
      readonly ok: false;
      readonly at: string | number;
      readonly before: string | undefined;
      readonly after: string | undefined;
    };

/** Fields in which the four protocols, and those built on them, keep the conversation. */
const CONVERSATIONS = ["messages", "input", "contents"] as const;

/**
 * Fields that a cache depends on, in the order in which providers put them before the conversation. Requests without a
 * field omit it in both.
 */
const HEADS = [
  ...["model", "prompt_cache_key", "tools", "toolConfig", "tool_choice"],
  ...["system", "instructions", "systemInstruction", "thinking", "reasoning", "reasoning_effort"],
] as const;

/**
 * Compares the bodies of two requests, as JSON text or parsed, of any of the protocols `anthropic-messages`,
 * `openai-responses`, `openai-completions`, `google-generative-ai` and Bedrock's.
 *
 * Everything before the conversation must be the same, and the conversation of `before` must be the start of that of
 * `after`, byte by byte. Cache markers are ignored: they move to the end with every request and are not part of what is
 * cached. Consecutive messages of one role count as one, as providers read them.
 */
export function promptPrefix(before: unknown, after: unknown): PromptPrefix {
  const [first, second] = [bodyOf(before), bodyOf(after)];
  for (const field of HEADS) {
    const [was, is] = [textOf(first[field]), textOf(second[field])];
    if (was !== is) return { ok: false, at: field, before: was, after: is };
  }
  const [old, now] = [conversationOf(first), conversationOf(second)];
  for (const [at, block] of old.entries()) {
    if (block !== now[at]) return { ok: false, at, before: block, after: now[at] };
  }
  return { ok: true, shared: old.length, added: now.length - old.length };
}

/** Throws if `after` does not start with the whole prompt of `before`; the message shows where they diverge. */
export function assertPromptPrefix(before: unknown, after: unknown): void {
  const found = promptPrefix(before, after);
  if (found.ok) return;
  const where = typeof found.at === "number" ? `block ${found.at + 1} of the conversation` : `the field ${found.at}`;
  const [was, is] = [found.before ?? "(nothing)", found.after ?? "(nothing)"];
  const from = Math.max(0, sameStart(was, is) - 40);
  throw new Error(
    `The second request does not start with the prompt of the first: they differ in ${where}\n` +
      `  before: ${from > 0 ? "…" : ""}${was.slice(from, from + 160)}\n` +
      `  after:  ${from > 0 ? "…" : ""}${is.slice(from, from + 160)}`,
  );
}

function sameStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function bodyOf(request: unknown): Readonly<Record<string, unknown>> {
  const value: unknown = typeof request === "string" ? JSON.parse(request) : request;
  if (!isRecord(value)) throw new TypeError("A request body has to be a JSON object");
  return value;
}

/** The blocks of all messages with their role, regardless of how they are grouped into messages. */
function conversationOf(body: Readonly<Record<string, unknown>>): string[] {
  const name = CONVERSATIONS.find((field) => Array.isArray(body[field]));
  const blocks: string[] = [];
  for (const message of name === undefined ? [] : (body[name] as readonly unknown[])) {
    const content = isRecord(message) ? (message.content ?? message.parts) : undefined;
    if (!isRecord(message) || !Array.isArray(content) || content.length === 0) {
      blocks.push(textOf(message) ?? "");
      continue;
    }
    const { content: _content, parts: _parts, ...rest } = message;
    for (const block of content as readonly unknown[]) {
      const text = textOf(block);
      // A separate cache marker, as Bedrock uses, is not a block.
      if (text !== "{}") blocks.push(`${textOf(rest)} ${text}`);
    }
  }
  return blocks;
}

/** Cache markers, by the names that providers give them. */
const MARKS: ReadonlySet<string> = new Set(["cache_control", "cachePoint"]);

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (key, inner: unknown) => (MARKS.has(key) ? undefined : inner)) as string | undefined;
}
