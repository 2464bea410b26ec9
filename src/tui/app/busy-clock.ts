/** That something is going on, and for how long: one small sign that moves. */
import type { AgentSession } from "../../agent/index.js";
import { firstWords } from "../../text/index.js";
import type { Working } from "../extension/extension-screen.js";
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
  /** What extensions want it to say. */
  readonly working?: () => Working;
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
      still ? SECOND : (this.#indicator?.intervalMs ?? FRAME_MS),
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

  get #indicator(): { readonly frames?: readonly string[]; readonly intervalMs?: number } | undefined {
    const indicator = this.#options.working?.().indicator;
    if (indicator === undefined) return undefined;
    const { intervalMs = FRAME_MS } = indicator;
    // Not everything an extension calls a number is one, and a timer takes those for no time at all.
    return {
      ...indicator,
      intervalMs: Number.isFinite(intervalMs) ? Math.min(Math.max(50, intervalMs), SECOND) : FRAME_MS,
    };
  }

  /** Without colors: the footer has its own. */
  #frames(usual: readonly string[]): readonly string[] {
    return this.#indicator?.frames?.map((frame) => firstWords(frame, 12)) ?? usual;
  }

  /** `⠋ 12 s`, `⠋ stopping 12 s`; undefined if nothing is running. */
  get text(): string | undefined {
    const { host, agent, still, now, working } = this.#options;
    if (agent.operation === undefined || this.#begun === undefined) return undefined;
    const { message, visible = true } = working?.() ?? {};
    // That it is being stopped is always worth knowing.
    if (!visible && !agent.isStopping) return undefined;
    const age = Math.max(0, now() - this.#begun);
    const frames = this.#frames(host.glyphs.ellipsis === "..." ? FRAMES.ascii : FRAMES.unicode);
    const step = this.#indicator?.intervalMs ?? FRAME_MS;
    const sign = still ? "" : (frames[Math.floor(age / step) % frames.length] ?? "");
    const what = agent.isStopping ? "stopping" : firstWords(message ?? (still ? "working" : ""), 60);
    return [sign, what, `${Math.floor(age / SECOND)} s`].filter((word) => word !== "").join(" ");
  }
}
