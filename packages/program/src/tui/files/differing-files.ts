/** How many files on disk differ from those at the leaf, according to the agent. */
import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import type { PanelHost } from "../host/panel-host.js";

/** Events after which files may differ. */
const NEWS: ReadonlySet<AgentEvent["type"]> = new Set([
  "moved",
  "session_changed",
  "files_changed",
  "entries",
  // What stayed is recorded before the conversation continues.
  "run_end",
]);

export class DifferingFiles {
  readonly #agent: AgentSession;
  readonly #host: Pick<PanelHost, "redraw">;
  #count = 0;
  #looking = false;

  constructor(agent: AgentSession, host: Pick<PanelHost, "redraw">) {
    this.#agent = agent;
    this.#host = host;
  }

  get count(): number {
    return this.#count;
  }

  handleEvent({ type }: AgentEvent): void {
    if (NEWS.has(type)) this.look();
  }

  /** Files are restored after a move, so check once nothing is running. */
  look(): void {
    if (this.#looking || !this.#agent.followsFiles) return;
    this.#looking = true;
    void this.#find();
  }

  async #find(): Promise<void> {
    try {
      await this.#agent.whenIdle();
      // Changes from here on need another check.
      this.#looking = false;
      const { length } = await this.#agent.differingFiles();
      if (length === this.#count) return;
      this.#count = length;
      this.#host.redraw();
    } catch {
      // Ignore failures; the agent reports what is wrong with the files.
      this.#looking = false;
    }
  }
}
