/** Gives calls of tools of MCP servers the name and input of the tool, while an answer arrives. */
import type { ResolveTool } from "../../mcp/index.js";
import { MCP_CALL, namedCall } from "../../mcp/internal.js";
import type { ModelEvent } from "../../model/index.js";

/** What has arrived of a call that is still being written. */
interface OpenCall {
  text: string;
  /** The name of the tool; undefined until it can be read. */
  name?: string;
  /** A brace at the end of what arrived, which may belong to the call and not to the input of the tool. */
  held: string;
}

type InputEvent = Extract<ModelEvent, { type: "tool_input" }>;

/** Nothing after this sees `mcp_call`, unless the model called something that does not exist. */
export class NamedCalls {
  readonly #resolve: ResolveTool | undefined;
  readonly #open = new Map<string, OpenCall>();

  constructor(resolve: ResolveTool | undefined) {
    this.#resolve = resolve;
  }

  /** Undefined for a piece of input that cannot be shown yet. */
  take(event: ModelEvent): ModelEvent | undefined {
    const resolve = this.#resolve;
    if (resolve === undefined) return event;
    if (event.type === "tool_input") return event.name === MCP_CALL ? this.#input(event, resolve) : event;
    if (event.type === "tool_call") return { ...event, call: namedCall(event.call, resolve) };
    if (event.type !== "end") return event;
    const { message } = event;
    if (!message.content.some((block) => block.type === "toolCall" && block.name === MCP_CALL)) return event;
    const content = message.content.map((block) => (block.type === "toolCall" ? namedCall(block, resolve) : block));
    return { ...event, message: { ...message, content } };
  }

  #input(event: InputEvent, resolve: ResolveTool): InputEvent | undefined {
    const call = this.#open.get(event.id) ?? { text: "", held: "" };
    this.#open.set(event.id, call);
    let text = event.delta;
    if (call.name === undefined) {
      call.text += text;
      const start = readStart(call.text);
      const found = start === undefined ? undefined : resolve(start.server, start.tool);
      if (start === undefined || found === undefined || typeof found === "string") return undefined;
      call.name = found.name;
      text = call.text.slice(start.length);
      call.text = "";
    }
    const whole = call.held + text;
    const [held = ""] = /\}\s*$/.exec(whole) ?? [];
    call.held = held;
    const delta = whole.slice(0, whole.length - held.length);
    return delta === "" ? undefined : { ...event, name: call.name, delta };
  }
}

const STRING = String.raw`"((?:[^"\\]|\\.)*)"`;
const START = new RegExp(
  String.raw`^\s*\{\s*"(server|tool)"\s*:\s*${STRING}\s*,\s*"(server|tool)"\s*:\s*${STRING}\s*,\s*"input"\s*:\s*`,
);

/** The server and the tool, if the call starts with them, and how long that start is. */
function readStart(
  text: string,
): { readonly server: string; readonly tool: string; readonly length: number } | undefined {
  const [whole, first, one, second, other] = START.exec(text) ?? [];
  if (whole === undefined || first === second) return undefined;
  try {
    const values = { [`${first}`]: JSON.parse(`"${one}"`), [`${second}`]: JSON.parse(`"${other}"`) };
    return { server: String(values.server), tool: String(values.tool), length: whole.length };
  } catch {
    return undefined;
  }
}
