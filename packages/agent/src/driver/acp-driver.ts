/**
 * Drives an agent over the Agent Client Protocol, version 1.
 *
 * It is offered neither files nor a terminal: most agents ignore them, and one fails with them. Every answer it waits
 * for has a time limit, except that of a prompt; a process that exceeds one is ended, because what it does afterwards
 * is unknown.
 */
import { setTimeout as pause } from "node:timers/promises";
import { defined, firstWords, isRecord } from "@bough/session/text/index.js";
import type { AgentName } from "@bough/workbench/interop/index.js";
import { type AcpOption, choiceRequest, sessionOptions, updatedOptions, withValue } from "./acp-options.js";
import { driverCall, driverUpdate, replayedPrompt } from "./acp-updates.js";
import type {
  Driver,
  DriverChoice,
  DriverLimits,
  DriverModes,
  DriverOption,
  DriverPrompt,
  LateListener,
  LoadOptions,
  NativeFacts,
  OpenDriver,
  OpenDriverOptions,
  TurnEnd,
} from "./driver.js";
import { DriverError, type DriverErrorCode } from "./driver-error.js";
import type { MakeAsk } from "./made-to-ask.js";
import { METHOD_NOT_FOUND, RpcChild, RpcFailure } from "./rpc-child.js";

export interface AcpDriverOptions {
  readonly name: string;
  readonly title: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly transcripts?: AgentName;
  readonly asks: Driver["asks"];
  readonly modes?: DriverModes;
  readonly env?: NodeJS.ProcessEnv;
  /** How long to wait for it. Default: generous limits. */
  readonly limits?: Partial<DriverLimits>;
  /** How to get the program. */
  readonly install?: string;
  /** The agent's own command that logs in. */
  readonly login?: string;
  /** Of the program that drives it, as the agent is told. */
  readonly version?: string;
  /** Whether the stored session can be loaded now without harm to it. Default: always. */
  readonly isSafeToLoad?: (id: string, env: NodeJS.ProcessEnv, now: Date) => boolean;
  /** How it is made to ask before everything. */
  readonly toAsk?: MakeAsk;
}

const LIMITS: DriverLimits = { start: 60_000, create: 120_000, load: 300_000, cancel: 10_000 };
const AUTH_REQUIRED = -32_000;
const PROTOCOL_VERSION = 1;
const REPLAY_MS = 3000;
const POLL_MS = 50;
const MOST_ID = 1000;
/** Of names, and of errors, as far as they are shown. */
const MOST_NAME = 100;
const MOST_ERROR = 500;

/** A driver for any program that speaks the Agent Client Protocol. Nothing is started yet. */
export function acpDriver(options: AcpDriverOptions): Driver {
  const { name, title, transcripts, asks, modes, env, toAsk } = options;
  return {
    name,
    title,
    asks,
    ...defined({ transcripts, modes, env, holds: toAsk?.holds }),
    open: (given) => OpenAcpDriver.open(options, given),
  };
}

class OpenAcpDriver implements OpenDriver {
  readonly #driver: AcpDriverOptions;
  readonly #limits: DriverLimits;
  readonly #cwd: string;
  readonly #late: LateListener | undefined;
  readonly #env: NodeJS.ProcessEnv;
  #child!: RpcChild;
  #meta: Readonly<Record<string, unknown>> = {};
  #abilities: Readonly<Record<string, unknown>> = {};
  version: string | undefined;
  /** Turns by session. An agent may report about any session at any time. */
  readonly #turns = new Map<string, DriverPrompt>();
  readonly #replays = new Map<string, string[]>();
  readonly #options = new Map<string, readonly AcpOption[]>();

  static async open(driver: AcpDriverOptions, options: OpenDriverOptions): Promise<OpenAcpDriver> {
    const made = new OpenAcpDriver(driver, options);
    const { title, install, toAsk } = driver;
    const { cwd, onNotice, asksAlways } = options;
    try {
      const { env = options.env, meta } = (asksAlways === true ? toAsk?.start({ env: options.env }) : undefined) ?? {};
      if (meta !== undefined) made.#meta = { _meta: meta };
      made.#child = await RpcChild.start({
        ...{ command: driver.command, title, install, cwd, env, onNotice },
        onNotification: (method, params) => made.#hear(method, params),
        onRequest: (method, params) => made.#asked(method, params),
      });
      await made.#begin(options.signal);
    } catch (error) {
      await made.close();
      throw error;
    }
    return made;
  }

  private constructor(driver: AcpDriverOptions, { cwd, env, late }: OpenDriverOptions) {
    this.#driver = driver;
    this.#late = late;
    this.#cwd = cwd;
    this.#env = env;
    this.#limits = { ...LIMITS, ...driver.limits };
  }

  get process() {
    return this.#child.process;
  }

  get isAlive(): boolean {
    return this.#child.isAlive;
  }

  get canLoad(): boolean {
    return this.#abilities.loadSession === true;
  }

  get takesImages(): boolean {
    const { promptCapabilities } = this.#abilities;
    return isRecord(promptCapabilities) && promptCapabilities.image === true;
  }

  async create({ signal }: { readonly signal: AbortSignal }): Promise<NativeFacts> {
    const folder = { cwd: this.#cwd, mcpServers: [], ...this.#meta };
    const answer = await this.#ask("session/new", folder, { limit: "create", signal });
    const id = isRecord(answer) ? answer.sessionId : undefined;
    if (typeof id !== "string" || id === "" || id.length > MOST_ID) {
      throw new DriverError("agent-failed", `${this.#driver.title} created a session without an ID`, {
        hint: "Update the program.",
      });
    }
    return this.#facts(id, answer);
  }

  async load(id: string, { signal, isWhole }: LoadOptions) {
    if (!this.canLoad) {
      throw new DriverError("agent-cannot", `${this.#driver.title} cannot continue a stored session`);
    }
    if (this.#driver.isSafeToLoad?.(id, this.#env, new Date()) === false) {
      throw new DriverError("agent-cannot", `${this.#driver.title} cannot continue this session yet`, {
        data: { id },
        hint: "Try again in a minute.",
      });
    }
    const prompts: string[] = [];
    this.#replays.set(id, prompts);
    try {
      const place = { sessionId: id, cwd: this.#cwd, mcpServers: [], ...this.#meta };
      const answer = await this.#ask("session/load", place, { limit: "load", signal });
      // Some agents answer before they have replayed the history.
      for (let waited = 0; waited < REPLAY_MS && !isWhole(prompts) && this.isAlive; waited += POLL_MS) {
        await pause(POLL_MS, undefined, { signal });
      }
      // What else comes before the next prompt is still the history, and not work that the agent does by itself.
      return { ...this.#facts(id, answer), prompts: [...prompts] };
    } catch (error) {
      this.#replays.delete(id);
      throw error;
    }
  }

  setMode(id: string, mode: string, options: { readonly signal: AbortSignal }): Promise<void> {
    return this.choose(id, { option: "mode", value: mode }, options);
  }

  options(id: string): readonly DriverOption[] {
    return (this.#options.get(id) ?? []).map(({ option, value, values }) => ({
      option,
      ...defined({ value }),
      values,
    }));
  }

  async choose(id: string, { option, value }: DriverChoice, { signal }: { readonly signal: AbortSignal }) {
    const known = this.#options.get(id) ?? [];
    const chosen = known.find((one) => one.option === option);
    const [method, params] = choiceRequest({ option, value, configId: chosen?.configId });
    const answer = await this.#ask(method, { sessionId: id, ...params }, { limit: "create", signal });
    const now = isRecord(answer) && "configOptions" in answer ? sessionOptions(answer) : undefined;
    this.#options.set(id, now ?? withValue(known, { option, value }));
  }

  async remove(id: string, { signal }: { readonly signal: AbortSignal }): Promise<boolean> {
    const { sessionCapabilities } = this.#abilities;
    if (!isRecord(sessionCapabilities) || !isRecord(sessionCapabilities.delete)) return false;
    await this.#ask("session/delete", { sessionId: id }, { limit: "create", signal });
    return true;
  }

  async prompt(id: string, request: DriverPrompt): Promise<TurnEnd> {
    const { text, given, images, signal } = request;
    const texts = given === undefined ? [text] : [given, text];
    const said = texts.map((one) => ({ type: "text", text: one }));
    const prompt = [...said, ...images.map(({ data, mimeType }) => ({ type: "image", data, mimeType }))];
    let ending: NodeJS.Timeout | undefined;
    let isEnded = false;
    const onAbort = () => {
      this.#child.notify("session/cancel", { sessionId: id });
      ending = setTimeout(() => {
        isEnded = true;
        void this.#child.close();
      }, this.#limits.cancel);
    };
    this.#replays.delete(id);
    this.#turns.set(id, request);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      if (signal.aborted) return { reason: "cancelled" };
      const answer = await this.#child.request("session/prompt", { sessionId: id, prompt });
      const reason = isRecord(answer) ? answer.stopReason : undefined;
      if (signal.aborted) return { reason: "cancelled" };
      return { reason: (typeof reason === "string" ? REASONS[reason] : undefined) ?? "done" };
    } catch (error) {
      // It was told to stop, and did, one way or another.
      if (signal.aborted && !isEnded) return { reason: "cancelled" };
      if (isEnded) {
        const seconds = Math.round(this.#limits.cancel / 1000);
        throw new DriverError("agent-slow", `${this.#driver.title} did not stop within ${seconds} s and was ended`, {
          hint: "The next prompt starts it again.",
          cause: error,
        });
      }
      throw this.#explained(error, "session/prompt");
    } finally {
      clearTimeout(ending);
      signal.removeEventListener("abort", onAbort);
      this.#turns.delete(id);
    }
  }

  async close(): Promise<void> {
    // Undefined if it could not be started.
    await (this.#child as RpcChild | undefined)?.close();
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    const clientInfo = { name: "bough", title: "Bough", version: this.#driver.version ?? "0" };
    const hello = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, clientInfo };
    const answer = await this.#ask("initialize", hello, { limit: "start", signal });
    const facts = isRecord(answer) ? answer : {};
    if (facts.protocolVersion !== PROTOCOL_VERSION) {
      const said = firstWords(JSON.stringify(facts.protocolVersion) ?? "none", MOST_NAME);
      const spoken = `version ${said} of the protocol, not ${PROTOCOL_VERSION}`;
      throw new DriverError("agent-cannot", `${this.#driver.title} speaks ${spoken}`, {
        hint: this.#driver.install ?? "Update the program.",
      });
    }
    this.#abilities = isRecord(facts.agentCapabilities) ? facts.agentCapabilities : {};
    const version = isRecord(facts.agentInfo) ? facts.agentInfo.version : undefined;
    this.version = typeof version === "string" ? firstWords(version, MOST_NAME) : undefined;
  }

  async #ask(
    method: string,
    params: unknown,
    { limit, signal }: { readonly limit: "start" | "create" | "load"; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const late = AbortSignal.timeout(this.#limits[limit]);
    try {
      return await this.#child.request(method, params, AbortSignal.any([late, signal]));
    } catch (error) {
      if (error !== late.reason && error !== signal.reason) throw this.#explained(error, method);
      // What it does with the request later is unknown.
      await this.#child.close();
      if (error === signal.reason) throw error;
      const seconds = Math.round(this.#limits[limit] / 1000);
      throw new DriverError("agent-slow", `${this.#driver.title} did not ${WAITS[limit]} within ${seconds} s`, {
        data: { method },
        hint: "It was ended. Check that it works in its own terminal.",
      });
    }
  }

  #explained(error: unknown, method: string): unknown {
    if (!(error instanceof RpcFailure)) return error;
    const { title, login } = this.#driver;
    if (error.code === METHOD_NOT_FOUND) {
      return new DriverError(
        "agent-cannot",
        `${title} does not support what it announced: ${METHODS[method] ?? method}`,
        {
          data: { method },
          hint: this.#driver.install ?? "Update the program.",
          cause: error,
        },
      );
    }
    const isLogin = error.code === AUTH_REQUIRED;
    const code: DriverErrorCode = isLogin ? "agent-login" : "agent-failed";
    const detail = isRecord(error.data) && typeof error.data.details === "string" ? `: ${error.data.details}` : "";
    const words = firstWords(`${error.message}${detail}`, MOST_ERROR);
    const message = isLogin ? `${title} is not logged in` : `${title} answered with an error: ${words}`;
    const hint = login === undefined ? "Log in with its own program." : `Log in with: ${login}`;
    return new DriverError(code, message, { data: { code: error.code }, ...(isLogin ? { hint } : {}), cause: error });
  }

  #facts(id: string, answer: unknown): NativeFacts {
    const options = sessionOptions(answer);
    this.#options.set(id, options);
    const model = options.find(({ option }) => option === "model")?.value;
    const mode = options.find(({ option }) => option === "mode");
    return { id, modes: mode?.values ?? [], ...defined({ mode: mode?.value, model }) };
  }

  #hear(method: string, params: unknown): void {
    if (method !== "session/update" || !isRecord(params) || typeof params.sessionId !== "string") return;
    const { sessionId, update } = params;
    this.#options.set(sessionId, updatedOptions(this.#options.get(sessionId) ?? [], update));
    const replay = this.#replays.get(sessionId);
    if (replay !== undefined) {
      const text = replayedPrompt(update);
      if (text !== undefined) replay.push(text);
      return;
    }
    const known = driverUpdate(update);
    if (known === undefined) return;
    const turn = this.#turns.get(sessionId);
    if (turn === undefined) this.#late?.onUpdate(sessionId, known);
    else turn.onUpdate(known);
  }

  #asked(method: string, params: unknown): Promise<unknown> | undefined {
    return method === "session/request_permission" ? this.#permission(params) : undefined;
  }

  async #permission(params: unknown): Promise<unknown> {
    const refused = { outcome: { outcome: "cancelled" } };
    if (!isRecord(params) || typeof params.sessionId !== "string" || !isRecord(params.toolCall)) return refused;
    const turn = this.#turns.get(params.sessionId);
    const call = driverCall(params.toolCall);
    const isStopped = () => turn?.signal.aborted === true;
    if (call === undefined || isStopped()) return refused;
    const answer = await (turn === undefined
      ? this.#late?.onQuestion(params.sessionId, { call })
      : turn.onQuestion({ call }));
    if (answer === undefined || isStopped()) return refused;
    // Never an answer that changes the agent's own settings.
    const wanted = answer === "allow" ? "allow_once" : "reject_once";
    const option = (Array.isArray(params.options) ? params.options : []).find(
      (one) => isRecord(one) && one.kind === wanted && typeof one.optionId === "string",
    );
    return option === undefined ? refused : { outcome: { outcome: "selected", optionId: option.optionId } };
  }
}

const METHODS: Readonly<Record<string, string>> = {
  "session/load": "continuing a stored session",
  "session/set_mode": "its modes",
  "session/set_config_option": "its modes",
};

const WAITS = { start: "start", create: "create a session", load: "load the conversation" } as const;

const REASONS: Readonly<Record<string, TurnEnd["reason"]>> = {
  end_turn: "done",
  cancelled: "cancelled",
  refusal: "refused",
  max_tokens: "limit",
  max_turn_requests: "limit",
};
