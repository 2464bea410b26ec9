/** Decodes what an ACP agent reports. Anything unknown or malformed is undefined: agents send kinds of their own. */
import { firstWords, isRecord } from "@bough/session/text/index.js";
import type { DriverCall, DriverUpdate, FileEdit } from "./driver.js";

/** Longer IDs are not those of calls, and longer titles are cut: they are kept for every call. */
const MOST_ID = 1000;
const MOST_TITLE = 64 << 10;
const MOST_NAME = 200;

type Json = Readonly<Record<string, unknown>>;

/** The text of an earlier prompt that the agent repeats while it loads a session. */
export function replayedPrompt(update: unknown): string | undefined {
  if (!isRecord(update) || update.sessionUpdate !== "user_message_chunk") return undefined;
  return textOf(update.content);
}

export function driverUpdate(update: unknown): DriverUpdate | undefined {
  if (!isRecord(update)) return undefined;
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return spoken("text", update.content);
    case "agent_thought_chunk":
      return spoken("thinking", update.content);
    case "tool_call":
    case "tool_call_update": {
      const call = driverCall(update);
      return call === undefined ? undefined : { kind: "call", call };
    }
    default:
      return undefined;
  }
}

function spoken(kind: "text" | "thinking", content: unknown): DriverUpdate | undefined {
  const text = textOf(content);
  return text === undefined || text === "" ? undefined : { kind, text };
}

function textOf(content: unknown): string | undefined {
  if (!isRecord(content)) return undefined;
  if (content.type === "text" && typeof content.text === "string") return content.text;
  return content.type === "image" ? "[image]" : undefined;
}

/** A call as an update or a question has it. */
export function driverCall(given: Json): DriverCall | undefined {
  const { toolCallId: id } = given;
  if (typeof id !== "string" || id === "" || id.length > MOST_ID) return undefined;
  const output = outputOf(given);
  const edits = editsIn(given.content);
  const paths = pathsIn(given.locations);
  const action = typeof given.kind === "string" ? (ACTIONS[given.kind] ?? "other") : undefined;
  const status = typeof given.status === "string" ? STATUS[given.status] : undefined;
  const name = nameOf(given);
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(typeof given.title === "string" ? { title: given.title.slice(0, MOST_TITLE) } : {}),
    ...(action === undefined ? {} : { action }),
    ...(status === undefined ? {} : { status }),
    ...(given.rawInput === undefined || given.rawInput === null ? {} : { input: given.rawInput }),
    ...(output === undefined ? {} : { output }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(edits.length === 0 ? {} : { edits }),
  };
}

const ACTIONS: Readonly<Record<string, DriverCall["action"]>> = {
  read: "read",
  search: "search",
  edit: "edit",
  delete: "edit",
  move: "edit",
  execute: "run",
  fetch: "fetch",
};

const STATUS: Readonly<Record<string, DriverCall["status"]>> = {
  pending: "pending",
  in_progress: "running",
  completed: "done",
  failed: "failed",
};

/** The protocol has no name for tools, but some agents send it. */
function nameOf({ name, _meta }: Json): string | undefined {
  const own = isRecord(_meta) && isRecord(_meta.claudeCode) ? _meta.claudeCode.toolName : undefined;
  const given = typeof name === "string" ? name : own;
  return typeof given === "string" ? firstWords(given, MOST_NAME) : undefined;
}

function itemsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function editsIn(content: unknown): FileEdit[] {
  return itemsIn(content).flatMap(({ type, path, oldText, newText }) =>
    type === "diff" && typeof path === "string" && typeof newText === "string"
      ? [{ path, oldText: typeof oldText === "string" ? oldText : undefined, newText }]
      : [],
  );
}

function pathsIn(locations: unknown): string[] {
  return itemsIn(locations).flatMap(({ path }) => (typeof path === "string" ? [path] : []));
}

/** As text: what the agent shows, or what the tool returned. */
function outputOf({ content, rawOutput, _meta }: Json): string | undefined {
  const terminal = isRecord(_meta) && isRecord(_meta.terminal_output) ? _meta.terminal_output.data : undefined;
  if (typeof terminal === "string") return terminal;
  if (typeof rawOutput === "string") return rawOutput;
  if (isRecord(rawOutput)) {
    for (const name of ["output", "formatted_output", "aggregated_output", "stdout"]) {
      const text = rawOutput[name];
      if (typeof text === "string") return text;
    }
  }
  const texts = itemsIn(content).flatMap((item) => {
    const text = item.type === "content" ? textOf(item.content) : undefined;
    return text === undefined ? [] : [text];
  });
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** The newer fields over the older ones. */
export function mergedCall(older: DriverCall | undefined, newer: DriverCall): DriverCall {
  return older === undefined ? newer : { ...older, ...newer };
}
