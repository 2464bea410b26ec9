/** A client of `bough acp`: the client side of the protocol's own package, over a real process, every frame checked. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import {
  type ClientApp,
  type ClientContext,
  client,
  type ForkSessionResponse,
  type InitializeResponse,
  type NewSessionResponse,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { expect } from "vitest";
import { afterTest } from "../support/after-test.js";
import { FrameCheck } from "./acp-schema.js";
import { type Place, PROGRAM } from "./cli-support.js";

interface AcpClientOptions {
  readonly args?: readonly string[];
  readonly capabilities?: object;
  /** More handlers: files, terminals. */
  readonly prepare?: (app: ClientApp) => void;
}

type Frame = Readonly<Record<string, unknown>>;
export interface Update {
  readonly sessionId: string;
  readonly update: SessionUpdate;
}

export class AcpClient {
  readonly place: Place;
  readonly child: ChildProcessWithoutNullStreams;
  readonly frames = new FrameCheck();
  readonly updates: Update[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  /** The option to choose, by its id or the start of its name; undefined cancels. */
  onPermission: (question: RequestPermissionRequest) => string | undefined | Promise<string | undefined> = () => "once";
  /** Called for every frame that arrives, before anyone else sees it. */
  onFrame: (frame: Frame) => void = () => {};
  readonly ended: Promise<number | null>;
  readonly agent: ClientContext;
  stderr = "";
  readonly #looking = new Set<() => void>();
  readonly #capabilities: object;

  constructor(place: Place, { args = [], capabilities = {}, prepare = () => {} }: AcpClientOptions = {}) {
    this.place = place;
    this.#capabilities = capabilities;
    this.child = spawn(process.execPath, [PROGRAM, "acp", ...args], { cwd: place.cwd, env: place.env });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.child.stdin.on("error", () => {});
    this.ended = once(this.child, "close").then(([code]) => code as number | null);
    afterTest(() => this.child.kill("SIGKILL"));
    const pipes = ndJsonStream(
      Writable.toWeb(this.child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(this.child.stdout) as unknown as ReadableStream<Uint8Array>,
    );
    const tap = (from: "client" | "agent") =>
      new TransformStream({
        transform: (frame: Frame, controller) => {
          this.frames.check(from, frame);
          if (from === "agent") this.onFrame(frame);
          // Answers to frames without an id belong to no request; the connection would only complain.
          if (frame.id !== null) controller.enqueue(frame);
        },
      });
    const sent = tap("client");
    sent.readable.pipeTo(pipes.writable).catch(() => {});
    const app = client({ name: "test" });
    app.onNotification("session/update", ({ params }) => {
      this.updates.push(params);
      for (const look of this.#looking) look();
    });
    app.onRequest("session/request_permission", async ({ params }) => {
      this.questions.push(params);
      const chosen = await this.onPermission(params);
      const option = params.options.find(({ optionId, name }) => optionId === chosen || name === chosen);
      return {
        outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId },
      };
    });
    prepare(app);
    this.agent = app.connect({
      writable: sent.writable,
      readable: pipes.readable.pipeThrough(tap("agent")),
    } as never).agent;
  }

  initialize(): Promise<InitializeResponse> {
    return this.agent.request("initialize", { protocolVersion: 1, clientCapabilities: this.#capabilities });
  }

  /** Says who we are and opens a session. */
  async begin(): Promise<NewSessionResponse> {
    await this.initialize();
    return this.create();
  }

  create(): Promise<NewSessionResponse> {
    return this.agent.request("session/new", { cwd: this.place.cwd, mcpServers: [] });
  }

  say(sessionId: string, text: string): Promise<PromptResponse> {
    return this.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  fork(sessionId: string, entryId?: string): Promise<ForkSessionResponse> {
    const meta = entryId === undefined ? {} : { _meta: { bough: { entryId } } };
    return this.agent.request("session/fork", { sessionId, cwd: this.place.cwd, mcpServers: [], ...meta });
  }

  /** What `session/load` shows of a session. */
  async load(sessionId: string): Promise<readonly SessionUpdate[]> {
    const before = this.updates.length;
    await this.agent.request("session/load", { sessionId, cwd: this.place.cwd, mcpServers: [] });
    return this.updates.slice(before).flatMap((one) => (one.sessionId === sessionId ? [one.update] : []));
  }

  async list() {
    return (await this.agent.request("session/list", { cwd: this.place.cwd })).sessions;
  }

  /** Resolves with the first update of a session that fits, also one that came already. */
  seen(fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.updates.find(({ update }) => fits(update));
        if (found === undefined) return;
        this.#looking.delete(look);
        resolve(found.update);
      };
      this.#looking.add(look);
      look();
    });
  }

  /** Text of the agent since the update with this index. */
  answer(from = 0): string {
    return this.updates
      .slice(from)
      .map(({ update }) => textOf(update, "agent_message_chunk"))
      .join("");
  }

  /** Closes our end; the program must exit with 0, and every frame must have been right. */
  async end(): Promise<void> {
    this.child.stdin.end();
    expect({ code: await this.ended, said: this.stderr }).toMatchObject({ code: 0 });
    expect(this.frames.wrong).toEqual([]);
  }
}

/** The text of an update, if it is of this kind. */
export function textOf(update: SessionUpdate, kind: SessionUpdate["sessionUpdate"]): string {
  if (update.sessionUpdate !== kind || !("content" in update)) return "";
  const { content } = update as { readonly content: { readonly type: string; readonly text?: string } };
  return content.type === "text" ? (content.text ?? "") : "";
}

/** A history in short lines: who said what, which call came to what. */
export function transcript(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) => {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
        return [`user: ${textOf(update, "user_message_chunk")}`];
      case "agent_message_chunk":
        return [`agent: ${textOf(update, "agent_message_chunk").split("\n")[0]}`];
      case "tool_call":
        return [`call: ${update.title}`];
      case "tool_call_update":
        return [`result: ${update.status}`];
      default:
        return [];
    }
  });
}
