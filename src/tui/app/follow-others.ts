/** What other processes do in the same session, as it happens. */
import type { AgentSession } from "../../agent/index.js";
import type { FollowEvent, SessionManager } from "../../session/index.js";
import { counted } from "../../view/index.js";
import type { StatusLine } from "../desk/create-desk.js";

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

/** What happened, as a sentence. `added`: entries since somebody looked. */
export function newsOfOthers(event: FollowEvent, added: number): StatusLine {
  switch (event.kind) {
    case "entries":
      return { message: `Another process added ${counted(added, "entry", "entries")}.`, level: "info" };
    case "problems": {
      const lines = counted(event.problems.length, "line");
      return { message: `${lines} of the session could not be read. Everything else is here.`, level: "warning" };
    }
    case "vanished":
      return { message: "The session's file is gone. It is written again with the next entry.", level: "warning" };
    case "failed":
      return { message: `The session's file cannot be followed: ${String(event.error)}`, level: "warning" };
  }
}
