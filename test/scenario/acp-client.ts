/** A client of `bough acp`: the client side of the protocol's own package, over a real process or in this one, every frame checked. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
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
import { RunningHere } from "./run-here.js";

interface AcpClientOptions {
  readonly args?: readonly string[];
  readonly capabilities?: object;
  /** In this process, for tests in which nothing depends on a process of its own. */
  readonly isHere?: boolean;
  /** More handlers: files, terminals. */
  readonly prepare?: (app: ClientApp) => void;
}

interface Program {
  readonly child: ChildProcessWithoutNullStreams | undefined;
  readonly input: Writable;
  readonly output: Readable;
  readonly ended: Promise<number | null>;
}

type Frame = Readonly<Record<string, unknown>>;
export interface Update {
  readonly sessionId: string;
  readonly update: SessionUpdate;
}

export class AcpClient {
  readonly place: Place;
  /** Its standard input. */
  readonly input: Writable;
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
  readonly #child: ChildProcessWithoutNullStreams | undefined;
  readonly #looking = new Set<() => void>();
  readonly #capabilities: object;

  constructor(
    place: Place,
    { args = [], capabilities = {}, isHere = false, prepare = () => {} }: AcpClientOptions = {},
  ) {
    this.place = place;
    this.#capabilities = capabilities;
    const program = isHere ? this.#runHere(args) : this.#spawn(args);
    this.#child = program.child;
    this.input = program.input;
    this.ended = program.ended;
    const pipes = ndJsonStream(
      Writable.toWeb(program.input) as WritableStream<Uint8Array>,
      Readable.toWeb(program.output) as unknown as ReadableStream<Uint8Array>,
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

  /** The process; there is none where the program runs in this one. */
  get child(): ChildProcessWithoutNullStreams {
    if (this.#child === undefined) throw new Error("bug: it runs in this process");
    return this.#child;
  }

  #spawn(args: readonly string[]): Program {
    const child = spawn(process.execPath, [PROGRAM, "acp", ...args], { cwd: this.place.cwd, env: this.place.env });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    child.stdin.on("error", () => {});
    afterTest(() => child.kill("SIGKILL"));
    const ended = once(child, "close").then(([code]) => code as number | null);
    return { child, input: child.stdin, output: child.stdout, ended };
  }

  #runHere(args: readonly string[]): Program {
    const running = new RunningHere(this.place, ["acp", ...args]);
    const output = new PassThrough();
    running.child.stdout.on("data", (text: string) => output.write(text));
    const ended = running.ended.then(({ code, stderr }) => {
      this.stderr = stderr;
      output.end();
      return code;
    });
    return { child: undefined, input: running.child.stdin, output, ended };
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
    this.input.end();
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
