/** Notifies a user who is looking elsewhere, and shows the state in the window title. */
import { basename } from "node:path";
import type { AgentEvent, RunOutcome } from "@bough/agent/agent/index.js";
import type { Settings } from "@bough/agent/project/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { Panel } from "../host/panel.js";
import { notification } from "../terminal/notify.js";

/** A user who pressed a key this recently is still there. */
const AWAY_MS = 10_000;

interface AttentionParts {
  readonly write: (data: string) => void;
  readonly setTitle: (title: string | undefined) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly lastKeyAt: () => number;
}

interface Followed {
  readonly session: () => Pick<SessionManager, "getSessionName">;
  readonly settings: () => Pick<Settings, "notifications" | "terminalTitle">;
  readonly cwd: string;
}

export class Attention {
  readonly #parts: AttentionParts;
  #followed: Followed | undefined;
  #working = false;
  #question: Panel | undefined;
  #answered = false;

  constructor(parts: AttentionParts) {
    this.#parts = parts;
  }

  /** Whether the model has answered since the terminal opened. */
  get answered(): boolean {
    return this.#answered;
  }

  /** No notifications before the conversation is shown. */
  follow(followed: Followed): void {
    this.#followed = followed;
    this.#showTitle();
  }

  handleEvent(event: AgentEvent): void {
    if (event.type === "run_start") this.#working = true;
    if (event.type === "run_end") {
      this.#working = false;
      this.#answered ||= event.outcome.kind === "done";
      this.#callAtEnd(event.outcome);
    }
    if (CHANGES_TITLE.has(event.type)) this.#showTitle();
  }

  /** The top panel, checked on each frame: a question that was not there before needs an answer. */
  look(top: Panel | undefined): void {
    const question = top?.isQuestion === true ? top : undefined;
    if (question === this.#question) return;
    this.#question = question;
    this.#showTitle();
    if (question !== undefined && this.#working) this.#call("Needs your answer");
  }

  /** No notification if the user stopped the run. */
  #callAtEnd(outcome: RunOutcome): void {
    if (outcome.kind === "done") this.#call("Done");
    else if (outcome.kind === "failed") this.#call("Failed");
    else if (outcome.kind === "aborted" && outcome.limit !== undefined) this.#call("Stopped at its limit");
  }

  #call(what: string): void {
    const { write, env, now, lastKeyAt } = this.#parts;
    if (this.#followed === undefined || now() - lastKeyAt() < AWAY_MS) return;
    const { notifications = "auto" } = this.#followed.settings();
    const data = notification(`${what}: ${this.#name(this.#followed)}`, { kind: notifications, env });
    if (data !== "") write(data);
  }

  #showTitle(): void {
    if (this.#followed === undefined) return;
    const { terminalTitle = true } = this.#followed.settings();
    const sign = this.#working ? (this.#question === undefined ? "* " : "? ") : "";
    this.#parts.setTitle(terminalTitle ? `${sign}bough: ${this.#name(this.#followed)}` : undefined);
  }

  #name({ session, cwd }: Followed): string {
    return session().getSessionName() ?? basename(cwd);
  }
}

const CHANGES_TITLE: ReadonlySet<AgentEvent["type"]> = new Set([
  "run_start",
  "run_end",
  "message_end",
  "session_changed",
  "entries",
]);
