/** How many files on disk are not those of the leaf, as the agent knows it. */
import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import type { PanelHost } from "../host/panel-host.js";

/** After these the files may be others. */
const NEWS: ReadonlySet<AgentEvent["type"]> = new Set(["moved", "session_changed", "files_changed", "entries"]);

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

  /** Files follow a move after it: it is asked once nothing runs any more. */
  look(): void {
    if (this.#looking || !this.#agent.followsFiles) return;
    this.#looking = true;
    void this.#find();
  }

  async #find(): Promise<void> {
    try {
      await this.#agent.whenIdle();
      // News from here on need another look.
      this.#looking = false;
      const { length } = await this.#agent.differingFiles();
      if (length === this.#count) return;
      this.#count = length;
      this.#host.redraw();
    } catch {
      // A note that cannot be made is left out: what is wrong with the files, the agent says itself.
      this.#looking = false;
    }
  }
}
