/** Follows what other processes do in the same session. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import { type EntryId, Role } from "@bough/session/entry/index.js";
import type { FollowEvent, SessionManager } from "@bough/session/session/index.js";
import { counted } from "@bough/session/text/index.js";
import { addedHereSentence, addedSentence, cameFrom, entryOrigins } from "@bough/workbench/store/internal.js";
import type { OwnedHost, StatusLine } from "../host/create-host.js";

interface FollowedApp {
  readonly agent: AgentSession;
  readonly home: string;
  readonly host: Pick<OwnedHost, "status" | "statusLine">;
  /** Called when entries were added or the position changed. */
  readonly onNews: (event: FollowEvent) => void;
}

/** Follows the agent's current session. Call again whenever that may have changed. */
export class OtherWriters {
  readonly #app: FollowedApp;
  #followed: { readonly session: SessionManager; readonly file: string; readonly readOnly: boolean } | undefined;
  #end: (() => void) | undefined;
  /** The position in the file at the last check. */
  #latest: EntryId | null = null;
  /** The last status about other processes, and the entries it covered. */
  #said: StatusLine | undefined;
  #ids: readonly EntryId[] = [];

  constructor(app: FollowedApp) {
    this.#app = app;
  }

  /** A new session has no file until its first prompt. */
  look(): void {
    const { session } = this.#app.agent;
    const file = session.getSessionFile();
    const readOnly = session.getReadOnlyReason() !== undefined;
    const known = this.#followed;
    if (known?.session === session && known.file === file && known.readOnly === readOnly) return;
    this.stop();
    if (file === undefined || (session.getLeafId() === null && !readOnly)) return;
    this.#followed = { session, file, readOnly };
    this.#latest = session.getFileLeafId();
    this.#end = session.follow((event) => this.#onAgentEvent(event));
  }

  stop(): void {
    this.#end?.();
    this.#end = undefined;
    this.#followed = undefined;
  }

  #onAgentEvent(event: FollowEvent): void {
    const { host, onNews } = this.#app;
    // If the new entries are visible, no message is needed.
    if (!this.#goAlong(event)) {
      const added = event.kind === "entries" ? this.#withoutSubAgents(event.ids) : [];
      if (event.kind === "entries" && added.length === 0) {
        onNews(event);
        return;
      }
      // An answer arrives in pieces; count everything not yet read together.
      this.#ids = [...(host.statusLine !== undefined && host.statusLine === this.#said ? this.#ids : []), ...added];
      const { message, level } = event.kind === "entries" ? this.#newEntries() : otherNews(event);
      if (message !== "") host.status(message, level);
      this.#said = message === "" ? undefined : host.statusLine;
    }
    onNews(event);
  }

  /** What sub-agents write is shown with the call that started them. */
  #withoutSubAgents(ids: readonly EntryId[]): readonly EntryId[] {
    const { tree } = this.#app.agent.session.getSource();
    return ids.filter((id) => {
      for (let n = tree.ids.findText(id); n >= 0; n = tree.parentOf(n)) {
        if (tree.roleOf(n) === Role.subagent) return false;
      }
      return true;
    });
  }

  /** Entries from other machines are reported by machine name; "" if there is nothing to report. */
  #newEntries(): StatusLine {
    const { agent, home } = this.#app;
    const { session } = agent;
    const { came, here } = cameFrom(session, this.#ids, entryOrigins(home, session.getSessionId()));
    const added = here === undefined ? [] : [addedHereSentence(session, here)];
    const message = [...came.map((one) => addedSentence(session, one)), ...added].join(" ");
    return { message, level: "info" };
  }

  /** A read-only window follows the others, unless it was opened at another position. */
  #goAlong({ kind }: FollowEvent): boolean {
    const { session } = this.#app.agent;
    if (kind !== "entries" || this.#followed?.readOnly !== true) return false;
    const before = this.#latest;
    const latest = session.getFileLeafId();
    this.#latest = latest;
    if (session.getLeafId() !== before || latest === before) return false;
    if (latest === null) session.resetLeaf();
    else session.branch(latest);
    return true;
  }
}

/** What happened, as a sentence. */
function otherNews(event: Exclude<FollowEvent, { kind: "entries" }>): StatusLine {
  switch (event.kind) {
    case "problems": {
      const lines = counted(event.problems.length, "line");
      return { message: `${lines} of the session could not be read. Everything else is here.`, level: "warning" };
    }
    case "vanished":
      return { message: "The session file was deleted. The next entry creates it again.", level: "warning" };
    case "failed":
      return { message: `Cannot watch the session file: ${String(event.error)}`, level: "warning" };
  }
}
