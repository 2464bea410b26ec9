/** Notifies a user who is looking elsewhere, and shows the state in the window title. */
import { basename } from "node:path";
import type { AgentEvent, RunOutcome } from "@bough/agent/agent/index.js";
import type { Settings } from "@bough/agent/project/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { Panel } from "../host/panel.js";
import { notification } from "../terminal/notify.js";

/** A user who pressed a key this recently is still there. */
const AWAY_MS = 10_000;
/** How often to check whether the user has left an open question. */
const LOOK_MS = 1000;

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
  /** The next check whether the user has left the open question. Each question notifies at most once. */
  #waiting: NodeJS.Timeout | undefined;
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
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    if (question !== undefined) this.#callForAnswer();
  }

  /** A user who just pressed a key may be gone before the question is answered. */
  #callForAnswer(): void {
    const left = this.#working ? this.#awayIn() : AWAY_MS;
    if (left <= 0) {
      this.#waiting = undefined;
      this.#call("Needs your answer");
      return;
    }
    // The host has its own clock, so check it until the time has passed instead of trusting the timer.
    this.#waiting = setTimeout(() => this.#callForAnswer(), Math.min(left, LOOK_MS));
    this.#waiting.unref();
  }

  /** No more notifications. */
  stop(): void {
    clearTimeout(this.#waiting);
    this.#followed = undefined;
  }

  /** Milliseconds until a user who presses no more keys counts as away. */
  #awayIn(): number {
    return AWAY_MS - (this.#parts.now() - this.#parts.lastKeyAt());
  }

  /** No notification if the user stopped the run. */
  #callAtEnd(outcome: RunOutcome): void {
    if (outcome.kind === "done") this.#call("Done");
    else if (outcome.kind === "failed") this.#call("Failed");
    else if (outcome.kind === "aborted" && outcome.limit !== undefined) this.#call("Stopped at its limit");
  }

  #call(what: string): void {
    const { write, env } = this.#parts;
    if (this.#followed === undefined || this.#awayIn() > 0) return;
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
