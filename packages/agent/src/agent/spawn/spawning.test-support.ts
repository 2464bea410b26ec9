/** An agent whose model is a server on loopback that answers each agent by the task it was given. */
import { contentText, type SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterTest } from "../../../../../test/support/after-test.js";
import { openModel } from "../../model/index.js";
import { infoOf, PROTOCOLS, type Protocol, type SpokenPart } from "../../model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "../../model/wire-server.test-support.js";
import { spawnTool, type Tool } from "../../tool/index.js";
import { type Harness, type HarnessOptions, harness, registryOf, tool } from "../agent-harness.test-support.js";

/** One answer: a text, calls of tools by name, or both; `hang`: it says so much and never ends. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, input: object])[];
  readonly hang?: true;
  readonly status?: number;
}

/** The answers to each prompt or task, in order. */
export type Script = Readonly<Record<string, readonly (string | Said)[]>>;

const ANTHROPIC = PROTOCOLS[0] as Protocol;

export interface Spawning extends Harness {
  readonly server: WireServer;
  /** The tree from the root, an entry on each line, as `type or role: text`. */
  readonly tree: () => string;
}

export function say(task: string, more: object = {}): readonly [string, object] {
  return ["spawn", { task, ...more }];
}

export async function spawning(
  script: Script,
  { extraTools = [], ...options }: Partial<HarnessOptions> & { readonly extraTools?: readonly Tool[] } = {},
): Promise<Spawning> {
  const server = await wireServer();
  afterTest(() => server.close());
  const counts = new Map<string, number>();
  let call = 0;
  server.route(({ body }) => {
    const task = taskIn(body, Object.keys(script));
    const step = counts.get(task) ?? 0;
    counts.set(task, step + 1);
    const said = script[task]?.[step] ?? `nothing is scripted for step ${step + 1} of ${task}`;
    const { text, calls = [], hang, status }: Said = typeof said === "string" ? { text: said } : said;
    if (status !== undefined) return { status, body: ANTHROPIC.failure(status, text ?? "failed", "api_error") };
    const parts: SpokenPart[] = text === undefined ? [] : [{ text }];
    for (const [name, input] of calls) {
      call += 1;
      parts.push({ call: `call-${call}`, name, input: JSON.stringify(input) });
    }
    const frames = ANTHROPIC.frames({ parts, stop: calls.length > 0 ? "toolUse" : "stop" });
    return hang === true ? { frames: frames.slice(0, -2), after: "wait" } : { frames, after: "end" };
  });
  const model = openModel({ info: infoOf(ANTHROPIC, server.origin), apiKey: () => "key" });
  const made = harness({
    model,
    registry: registryOf(model),
    tools: [spawnTool(), tool({ name: "look" }), ...extraTools],
    ...options,
  });
  return { ...made, server, tree: () => treeOf(made.session.getSessionFile() as string) };
}

/** The last message of the user's side that the script knows: the prompt of an agent, or the task of a sub-agent. */
function taskIn(body: unknown, known: readonly string[]): string {
  const { messages } = body as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
  for (const { role, content } of messages.toReversed()) {
    if (role !== "user") continue;
    const blocks =
      typeof content === "string" ? [{ text: content }] : (content as readonly { readonly text?: string }[]);
    for (const { text } of blocks.toReversed()) {
      const found = known.find((task) => text === task);
      if (found !== undefined) return found;
    }
  }
  return "";
}

/** The tree in a file, with `*` at the leaf that loading it gives. */
export function treeOf(file: string): string {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  const leaf = session.getLeafId();
  const lines: string[] = [];
  const waiting = session.getTree().map((node) => ({ node, depth: 0 }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { node, depth } = next;
    lines.push(`${"  ".repeat(depth)}${lineOf(node.entry)}${node.entry.id === leaf ? " *" : ""}`);
    const below = node.children.length > 1 ? depth + 1 : depth;
    waiting.unshift(...node.children.map((child) => ({ node: child, depth: below })));
  }
  session.close();
  return lines.join("\n");
}

function lineOf(entry: SessionEntry): string {
  if (entry.type === "custom") {
    const { customType, data } = entry as {
      readonly customType: string;
      readonly data?: Readonly<Record<string, unknown>>;
    };
    if (customType === "bough.subagent_end") return `end: ${data?.outcome}`;
    if (customType !== "bough.subagent") return customType;
    return `sub-agent: ${(data?.meta as { readonly description?: string } | undefined)?.description}`;
  }
  if (entry.type === "custom_message") return `${entry.customType}: ${String(entry.content)}`;
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  if (message.role === "toolResult") {
    return `result of ${message.toolName}${message.isError ? " (error)" : ""}: ${contentText(message.content)}`;
  }
  if (message.role === "assistant") {
    const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [`+${block.name}`] : []));
    return ["answer:", contentText(message.content), ...calls, message.stopReason === "aborted" ? "(aborted)" : ""]
      .filter((word) => word !== "")
      .join(" ");
  }
  return message.role === "user" ? `prompt: ${contentText(message.content)}` : message.role;
}
