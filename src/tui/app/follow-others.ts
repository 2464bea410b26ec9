/** What other processes do in the same session, as it happens. */
import type { AgentSession } from "../../agent/index.js";
import type { FollowEvent, SessionManager } from "../../session/index.js";

export interface FollowedApp {
  readonly agent: AgentSession;
  readonly onNews: (event: FollowEvent) => void;
}

/** Follows the session the agent has now; asked again whenever that may have changed. */
export class OtherWriters {
  readonly #app: FollowedApp;
  #followed: { readonly session: SessionManager; readonly file: string } | undefined;
  #end: (() => void) | undefined;

  constructor(app: FollowedApp) {
    this.#app = app;
  }

  /** A new session has a file only once something was said in it. */
  look(): void {
    const { session } = this.#app.agent;
    const file = session.getSessionFile();
    if (this.#followed?.session === session && this.#followed.file === file) return;
    this.stop();
    if (file === undefined || session.getLeafId() === null) return;
    this.#followed = { session, file };
    this.#end = session.follow((event) => this.#app.onNews(event));
  }

  stop(): void {
    this.#end?.();
    this.#end = undefined;
    this.#followed = undefined;
  }
}
