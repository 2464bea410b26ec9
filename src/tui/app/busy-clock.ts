/** That something is going on, and for how long: one small sign that moves. */
import type { AgentSession } from "../../agent/index.js";
import type { PanelHost } from "../host/panel-host.js";

const FRAMES = { unicode: [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"], ascii: [..."|/-\\"] };
const FRAME_MS = 120;
const SECOND = 1000;

interface BusyOptions {
  readonly host: Pick<PanelHost, "redraw" | "glyphs">;
  /** Milliseconds; stops while a user is asked. */
  readonly now: () => number;
  readonly agent: Pick<AgentSession, "operation" | "isStopping">;
  /** Nothing moves: the seconds count on and that is all. */
  readonly still: boolean;
}

export class BusyClock {
  readonly #options: BusyOptions;
  #begun: number | undefined;
  #ticking: NodeJS.Timeout | undefined;

  constructor(options: BusyOptions) {
    this.#options = options;
  }

  /** Looks whether something began or ended. */
  look(): void {
    const { host, agent, still, now } = this.#options;
    if (agent.operation === undefined) {
      this.stop();
      return;
    }
    if (this.#ticking !== undefined) return;
    this.#begun = now();
    this.#ticking = setInterval(
      () => (agent.operation === undefined ? this.look() : host.redraw()),
      still ? SECOND : FRAME_MS,
    );
    this.#ticking.unref();
  }

  stop(): void {
    if (this.#ticking === undefined) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#begun = undefined;
    this.#options.host.redraw();
  }

  /** `⠋ 12 s`, `⠋ stopping 12 s`; undefined if nothing is running. */
  get text(): string | undefined {
    const { host, agent, still, now } = this.#options;
    if (agent.operation === undefined || this.#begun === undefined) return undefined;
    const age = Math.max(0, now() - this.#begun);
    const frames = host.glyphs.ellipsis === "..." ? FRAMES.ascii : FRAMES.unicode;
    const sign = still ? "" : (frames[Math.floor(age / FRAME_MS) % frames.length] ?? "");
    const what = agent.isStopping ? "stopping" : still ? "working" : "";
    return [sign, what, `${Math.floor(age / SECOND)} s`].filter((word) => word !== "").join(" ");
  }
}
