/** One session's connection to the client: updates are sent in order; questions may stay unanswered. */
import type {
  AgentContext,
  CreateElicitationRequest,
  RequestPermissionRequest,
  SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { defined } from "@bough/session/text/index.js";
import type { ClientFacts } from "./client-facts.js";

export interface ClientLinkOptions {
  readonly client: AgentContext;
  readonly facts: ClientFacts;
  /** Resolves when the client has read enough of what was sent to it. */
  readonly ready: () => Promise<void>;
}

type Question = Omit<RequestPermissionRequest, "sessionId">;

/**
 * Until the client knows the session, updates wait and questions get no answer. After it disconnects, nothing is sent
 * and every answer is empty: nothing chosen, nothing permitted.
 */
export class ClientLink {
  readonly client: AgentContext;
  readonly facts: ClientFacts;
  #sessionId: string | undefined;
  #waiting: SessionUpdate[] = [];
  #isOpen = false;
  #stop = new AbortController();
  readonly #ready: () => Promise<void>;

  constructor({ client, facts, ready }: ClientLinkOptions) {
    this.client = client;
    this.facts = facts;
    this.#ready = ready;
  }

  /** The id the client knows the session by. */
  get sessionId(): string {
    if (this.#sessionId === undefined) throw new Error("bug: the session has no id yet");
    return this.#sessionId;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  name(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  /** Called once the client knows the session. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const update of waiting) void this.#send(update);
  }

  update(update: SessionUpdate): void {
    if (this.#isOpen) void this.#send(update);
    else this.#waiting.push(update);
  }

  /** The same, but resolves when the client can take more: for a long history. */
  async updateNow(update: SessionUpdate): Promise<void> {
    await this.#send(update);
    await this.#ready();
  }

  /** Open questions get no answer. */
  closeQuestions(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** The id of the chosen option; undefined if none was chosen. */
  async choose(
    question: Question,
    signal?: AbortSignal,
  ): Promise<{ readonly id: string; readonly reason?: string } | undefined> {
    if (!this.#isOpen) return undefined;
    try {
      const params = { sessionId: this.sessionId, ...question };
      const answer = await this.client.request("session/request_permission", params, this.#until(signal));
      if (answer.outcome.outcome !== "selected") return undefined;
      const { optionId } = answer.outcome;
      if (!question.options.some((option) => option.optionId === optionId)) return undefined;
      const reason = reasonIn(answer.outcome._meta) ?? reasonIn(answer._meta);
      return reason === undefined ? { id: optionId } : { id: optionId, reason };
    } catch {
      // The client disconnected, was told to cancel the question, or does not answer such questions.
      return undefined;
    }
  }

  /** Text that the user typed; undefined if there is none or the client cannot ask for text. */
  async askText(
    message: string,
    { placeholder, signal }: { readonly placeholder?: string; readonly signal?: AbortSignal } = {},
  ): Promise<string | undefined> {
    if (!this.#isOpen || !this.facts.forms) return undefined;
    const text = {
      type: "string",
      title: message,
      ...defined({ description: placeholder }),
    } as const;
    const request: CreateElicitationRequest = {
      mode: "form",
      sessionId: this.sessionId,
      message,
      requestedSchema: { type: "object", properties: { text }, required: ["text"] },
    };
    try {
      const answer = await this.client.request("elicitation/create", request, this.#until(signal));
      if (answer.action !== "accept") return undefined;
      const typed = (answer as { readonly content?: Readonly<Record<string, unknown>> | null }).content?.text;
      return typeof typed === "string" && typed !== "" ? typed : undefined;
    } catch {
      return undefined;
    }
  }

  #until(signal: AbortSignal | undefined) {
    const signals = signal === undefined ? [this.#stop.signal] : [this.#stop.signal, signal];
    return { cancellationSignal: AbortSignal.any(signals), stopWaitingOnCancel: true };
  }

  async #send(update: SessionUpdate): Promise<void> {
    try {
      await this.client.notify("session/update", { sessionId: this.sessionId, update });
    } catch {
      // The connection is closed; the server ends the session.
    }
  }
}

/** `_meta.bough.reason`: what to do instead, if the client lets its user say so. */
function reasonIn(meta: { readonly [key: string]: unknown } | null | undefined): string | undefined {
  const bough = meta?.bough as { readonly reason?: unknown } | null | undefined;
  return typeof bough?.reason === "string" && bough.reason.trim() !== "" ? bough.reason : undefined;
}
