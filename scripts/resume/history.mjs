// A conversation in comparable parts: as Bough shows it to a model, and as a request of the Messages protocol has it.
import { createHash } from "node:crypto";
import { INTERRUPTED_RESULT } from "../../dist/context/index.js";

/**
 * The parts of the messages in one of Bough's contexts. Programs put different words around a summary or a command, so
 * only the text inside counts. What a program by its own rules does not send is left out: `isLeftOut(answer,
 * isAnswered)` for whole answers with the results of their calls, `isLeftOutBlock(block)` for parts of others, and
 * `isLeftOutText(text)` for texts. `toolName` maps the name of a tool; `summaryRole` is the role of a compaction's
 * summary.
 */
export function partsOfContext(
  messages,
  { isLeftOut, isLeftOutBlock, isLeftOutText = () => false, toolName = (name) => name, summaryRole = "user" },
) {
  const results = messages.filter(({ role }) => role === "toolResult");
  const answered = new Set(
    results.filter(({ content }) => !isInterrupted(content)).map(({ toolCallId }) => toolCallId),
  );
  const leftOut = new Set();
  const parts = messages.flatMap((message) => {
    if (message.role === "toolResult") {
      return leftOut.has(message.toolCallId) ? [] : [resultPart(message.toolCallId, blocksOf(message.content))];
    }
    if (message.role === "compactionSummary") return wordsOf(message).map(spoken(summaryRole));
    if (message.role !== "assistant") return wordsOf(message).map(spoken("user"));
    const isGone = isLeftOut(message, (id) => answered.has(id));
    for (const { type, id } of message.content) if (type === "toolCall" && isGone) leftOut.add(id);
    const blocks = isGone ? [] : message.content.filter((block) => !isLeftOutBlock(block));
    return blocks.map((block) => partOfAnswer(block, toolName));
  });
  return inOneOrder(parts.filter(({ kind, text }) => kind !== "text" || (text !== "" && !isLeftOutText(text))));
}

function isInterrupted(content) {
  return blocksOf(content).some(({ text }) => text === INTERRUPTED_RESULT);
}

/** The blocks sent in the user's role. */
function wordsOf(message) {
  if (message.role === "compactionSummary" || message.role === "branchSummary") return blocksOf(message.summary);
  if (message.role !== "bashExecution") return blocksOf(message.content);
  return message.excludeFromContext === true ? [] : [message.command, message.output].flatMap(blocksOf);
}

function partOfAnswer(block, toolName) {
  if (block.type === "toolCall") return callPart(block.id, toolName(block.name), block.arguments);
  if (block.redacted === true) return { kind: "redacted", key: block.thinkingSignature };
  // A program may send another model's thinking as plain text.
  return textPart("assistant", block.type === "thinking" ? block.thinking : block.text);
}

/** The parts of a request that a program sent. */
export function partsOfRequest({ messages }) {
  const parts = messages.flatMap(({ role, content }) =>
    blocksOf(content).map((block) => {
      if (block.type === "tool_use") return callPart(block.id, block.name, block.input);
      if (block.type === "tool_result") return resultPart(block.tool_use_id, blocksOf(block.content));
      if (block.type === "redacted_thinking") return { kind: "redacted", key: block.data };
      return spoken(role)(block);
    }),
  );
  return inOneOrder(parts);
}

/** Sorts the results of an answer, which programs send in different orders, and puts calls after its texts. */
function inOneOrder(parts) {
  const ordered = [];
  let run = [];
  let kind;
  for (const part of [...parts, undefined]) {
    const next = part === undefined ? undefined : runOf(part);
    if (next !== kind || next === undefined) {
      ordered.push(...run.sort(kind === "answer" ? wordsFirst : byKey));
      run = [];
    }
    kind = next;
    if (part !== undefined && next === undefined) ordered.push(part);
    else if (part !== undefined) run.push(part);
  }
  return ordered;
}

function runOf({ kind, role }) {
  if (kind === "result") return "results";
  return kind === "call" || kind === "redacted" || role === "assistant" ? "answer" : undefined;
}

const byKey = (a, b) => (a.key < b.key ? -1 : 1);
const wordsFirst = (a, b) => (a.kind === "call" ? 1 : 0) - (b.kind === "call" ? 1 : 0);

/** A program may merge the texts of a result, and add words to an image without any. */
function resultPart(id, content) {
  const parts = content.map(spoken("result"));
  const text = parts.flatMap((part) => (part.kind === "text" && part.text !== "" ? [part.text] : [])).join("\n");
  const images = parts.flatMap(({ kind, key }) => (kind === "image" ? [key] : [])).join(" ");
  return { kind: "result", key: JSON.stringify([plainId(id), images]), words: text };
}

function callPart(id, name, input) {
  return { kind: "call", key: JSON.stringify([plainId(id), name, sorted(input)]) };
}

/**
 * IDs of other providers may be rewritten with the characters that a provider allows. Gemini CLI stores `name__` before
 * an ID and sends it without.
 */
function plainId(id) {
  return id
    .replace(/^(.+)__(?=\1)/, "")
    .replace(/[^A-Za-z0-9_-]/g, "_")
    .slice(0, 64);
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function blocksOf(content) {
  return typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
}

function spoken(role) {
  return (block) => {
    if (block.type !== "image") return textPart(role, block.text ?? block.thinking ?? "");
    const data = block.data ?? block.source?.data ?? "";
    return { kind: "image", key: createHash("sha256").update(data).digest("hex") };
  };
}

function textPart(role, text) {
  return { kind: "text", role, text: String(text ?? "").trim() };
}

/** How many of the expected parts occur in what was sent, in order, and the index of the last one. */
export function inOrder(expected, sent) {
  let found = 0;
  let at = 0;
  let from = 0;
  while (found < expected.length && at < sent.length) {
    const end = endIn(sent[at], from, expected[found]);
    if (end === undefined) {
      at += 1;
      from = 0;
      continue;
    }
    found += 1;
    from = end;
    if (sent[at].kind === "text") continue;
    at += 1;
  }
  return { found, at };
}

/** Where an expected part ends in one that was sent; undefined if it is not contained. */
function endIn(sent, from, expected) {
  if (sent.kind !== expected.kind) return undefined;
  // Each program has its own words for a call without a result.
  const isSaid = ["", INTERRUPTED_RESULT, sent.words].includes(expected.words);
  if (expected.kind === "result" && !isSaid) return undefined;
  if (expected.kind !== "text") return sent.key === expected.key ? 0 : undefined;
  if (sent.role !== expected.role) return undefined;
  const start = sent.text.indexOf(expected.text, from);
  return start < 0 ? undefined : start + expected.text.length;
}

/** IDs of calls without a result right after them, and of results without a call before them: providers refuse both. */
export function unpaired({ messages }) {
  const alone = [];
  let open = new Set();
  for (const { role, content } of messages) {
    const blocks = blocksOf(content);
    if (role === "assistant") {
      alone.push(...open);
      open = new Set(blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id));
      continue;
    }
    for (const { type, tool_use_id } of blocks) {
      if (type === "tool_result" && !open.delete(tool_use_id)) alone.push(tool_use_id);
    }
    alone.push(...open);
    open = new Set();
  }
  return [...alone, ...open];
}
