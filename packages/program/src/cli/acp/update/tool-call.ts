/** Tool calls in the form clients draw: kind, title, file locations and output. */
import { isAbsolute, resolve } from "node:path";
import type {
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
  ToolKind,
} from "@agentclientprotocol/sdk/unstable";
import type { ToolResultMessage } from "@bough/agent/agent/index.js";
import { isRecord, visibleText } from "@bough/session/text/index.js";
import { toolTitle } from "@bough/session/view/internal.js";
import { diffContent, diffPieces } from "./diff-content.js";

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: "read",
  write: "edit",
  edit: "edit",
  bash: "execute",
  grep: "search",
  find: "search",
  ls: "search",
  web_fetch: "fetch",
  todo: "think",
};

export function toolKind(name: string): ToolKind {
  return Object.hasOwn(KINDS, name) ? (KINDS[name] as ToolKind) : "other";
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A call that has just started. */
export function callStarted({ id, name, input }: Call, cwd: string): ToolCall {
  const fields = isRecord(input) ? input : {};
  const locations = callLocations(fields, cwd);
  return {
    toolCallId: id,
    name,
    title: callTitle(name, fields),
    kind: toolKind(name),
    status: "in_progress",
    rawInput: input,
    ...(locations.length === 0 ? {} : { locations: [...locations] }),
  };
}

/** One line with nothing hidden in it. */
function callTitle(name: string, input: Readonly<Record<string, unknown>>): string {
  return visibleText(toolTitle(name, input).replace(/ {2,}/g, " "), { newlines: "escape" }).text;
}

/** The file it reads or writes, as an absolute path. */
function callLocations(input: Readonly<Record<string, unknown>>, cwd: string): readonly ToolCallLocation[] {
  const { path, offset } = input;
  if (typeof path !== "string" || path === "") return [];
  const line = typeof offset === "number" && Number.isInteger(offset) && offset > 0 ? { line: offset } : {};
  return [{ path: resolve(cwd, path), ...line }];
}

interface FinishedCall {
  readonly input: unknown;
  readonly result: ToolResultMessage;
  readonly cwd: string;
  /** The client shows the output in its own terminal. */
  readonly hasTerminal: boolean;
}

/** The output of a call. */
export function callFinished({ input, result, cwd, hasTerminal }: FinishedCall): Omit<ToolCallUpdate, "status"> {
  const fields = isRecord(input) ? input : {};
  const details: Readonly<Record<string, unknown>> = isRecord(result.details) ? result.details : {};
  const { content, locations } = changeOf({ fields, details, cwd, isError: result.isError }) ?? {};
  return {
    toolCallId: result.toolCallId,
    ...(hasTerminal ? {} : { content: [...(content ?? resultContent(result))] }),
    ...(locations === undefined ? {} : { locations: [...locations] }),
    rawOutput: result.details ?? resultText(result),
  };
}

interface ChangeFacts {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly isError: boolean;
}

interface ShownChange {
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
}

/** The change to a file as a diff; undefined if the call changed none. */
function changeOf({ fields, details, cwd, isError }: ChangeFacts): ShownChange | undefined {
  const { change, diff } = details;
  const named = typeof details.path === "string" ? details.path : fields.path;
  if (isError || typeof named !== "string" || (change !== "created" && change !== "changed")) return undefined;
  const path = isAbsolute(named) ? named : resolve(cwd, named);
  if (change === "created" && typeof fields.content === "string") {
    return {
      content: [{ type: "diff", path, oldText: null, newText: fields.content }],
      locations: [{ path, line: 1 }],
    };
  }
  if (typeof diff !== "string") return undefined;
  const locations = diffPieces(diff).map(({ line }) => ({ path, line }));
  return { content: diffContent(path, diff), locations };
}

function resultContent({ content }: ToolResultMessage): readonly ToolCallContent[] {
  return content.map((block) =>
    block.type === "image"
      ? { type: "content", content: { type: "image", data: block.data, mimeType: block.mimeType } }
      : textContent(block.text),
  );
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

function resultText({ content }: ToolResultMessage): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
