/**
 * The listeners for appends: a store that keeps copies of the session elsewhere. The engine knows nothing else about
 * it.
 */
import { type EntryId, SessionError } from "../../entry/index.js";

/** See `SessionManager.attach`. */
interface Attachment {
  onAppend(id: EntryId): void;
  onTurnEnd(): void;
  onLeave(why: "closed" | "elsewhere"): void;
  flush(): Promise<void>;
}

export class Attachments {
  readonly #all = new Set<Attachment>();

  add(attachment: Attachment): () => void {
    this.#all.add(attachment);
    return () => this.#all.delete(attachment);
  }

  appended(id: EntryId): void {
    for (const one of this.#all) one.onAppend(id);
  }

  turnEnded(): void {
    for (const one of this.#all) one.onTurnEnd();
  }

  left(why: "closed" | "elsewhere"): void {
    for (const one of [...this.#all]) one.onLeave(why);
  }

  async flush(): Promise<void> {
    if (this.#all.size === 0)
      throw new SessionError("no-store", "No store is attached to this session", {
        hint: "Attach one with attachStore of bough/store.",
      });
    await Promise.all([...this.#all].map((one) => one.flush()));
  }
}
