/** A model on loopback that does what the prompt says: a prompt holds batches of tool calls, one for each step. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Script {
  /** Different for every prompt. */
  readonly tag: string;
  readonly batches: readonly (readonly ScriptedCall[])[];
}

export interface ScriptServer {
  readonly address: string;
  /** Called before a step is answered: everything of the steps before it is done, and nothing of it has begun. */
  onStep: (tag: string, step: number) => void | Promise<void>;
  close(): void;
}

const MARK = "walk:";

export function scriptText(script: Script): string {
  return MARK + JSON.stringify(script);
}

interface WireMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly tool_calls?: readonly unknown[];
}

export async function scriptServer(): Promise<ScriptServer> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end();
      void answer((JSON.parse(body) as { messages: readonly WireMessage[] }).messages, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const self: ScriptServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    onStep: () => undefined,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };

  async function answer(messages: readonly WireMessage[], response: ServerResponse): Promise<void> {
    const at = messages.findLastIndex((message) => message.role === "user" && textOf(message).startsWith(MARK));
    const asked = messages[at];
    const script = asked === undefined ? undefined : (JSON.parse(textOf(asked).slice(MARK.length)) as Script);
    const step = messages.slice(at + 1).filter(({ tool_calls }) => (tool_calls ?? []).length > 0).length;
    if (script !== undefined) await self.onStep(script.tag, step);
    send(response, script?.batches[step] ?? [], `${script?.tag}-${step}`);
  }
  return self;
}

function textOf({ content }: WireMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => text ?? "").join("");
}

function send(response: ServerResponse, calls: readonly ScriptedCall[], tag: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: "w", object: "chat.completion.chunk", created: 1, model: "walk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  if (calls.length === 0) chunk({ role: "assistant", content: "Done." });
  else {
    const tool_calls = calls.map(({ name, input }, index) => ({
      index,
      id: `call_${tag}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    chunk({ role: "assistant", tool_calls });
  }
  chunk({}, calls.length === 0 ? "stop" : "tool_calls");
  response.end("data: [DONE]\n\n");
}
