/** Shows that something is running, and for how long: one small spinner. */
import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import { paintedWidth, safeFitted } from "@bough/agent/terminal/index.js";
import { firstWords } from "@bough/session/text/index.js";
import type { Working } from "../extension/extension-screen.js";
import type { PanelHost } from "../host/panel-host.js";

const FRAMES = { unicode: [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"], ascii: [..."|/-\\"] };
const FRAME_MS = 120;
const SECOND = 1000;
/** Report a model that has sent nothing for this long. */
const SILENCE = 10 * SECOND;
/** Events that mean the model sent something. */
const HEARD: ReadonlySet<string> = new Set(["message_update", "tool_input", "summary_update"]);

interface BusyOptions {
  readonly host: Pick<PanelHost, "redraw" | "glyphs">;
  /** Milliseconds; pauses while the user is being asked. */
  readonly now: () => number;
  readonly agent: Pick<AgentSession, "operation" | "isStopping">;
  /** No animation: update only the seconds. */
  readonly still: boolean;
  /** Status texts set by extensions. */
  readonly working?: () => Working;
}

export class BusyClock {
  readonly #options: BusyOptions;
  #begun: number | undefined;
  #ticking: NodeJS.Timeout | undefined;
  /** When the model last sent something; undefined while it is not asked. */
  #heard: number | undefined;

  constructor(options: BusyOptions) {
    this.#options = options;
  }

  /** Checks whether something started or ended. */
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

  /** Tracks whether the model is silent. */
  hear(event: AgentEvent): void {
    const isAsked = event.type === "message_start" && event.role === "assistant";
    if (isAsked || event.type === "summary_start" || (this.#heard !== undefined && HEARD.has(event.type))) {
      this.#heard = this.#options.now();
    } else if (event.type === "message_end" || event.type === "retry" || event.type === "summary_end") {
      this.#heard = undefined;
    } else if (event.type === "run_end") this.#heard = undefined;
  }

  stop(): void {
    if (this.#ticking === undefined) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#begun = undefined;
    this.#heard = undefined;
    this.#options.host.redraw();
  }

  get #indicator(): { readonly frames?: readonly string[]; readonly intervalMs?: number } | undefined {
    const indicator = this.#options.working?.().indicator;
    if (indicator === undefined) return undefined;
    const { intervalMs = FRAME_MS } = indicator;
    // Extensions may pass NaN or infinity, which a timer treats as 0.
    return {
      ...indicator,
      intervalMs: Number.isFinite(intervalMs) ? Math.min(Math.max(50, intervalMs), SECOND) : FRAME_MS,
    };
  }

  /** The current sign of an extension with its own colors, for `withSign`; undefined if it has none. */
  get sign(): { readonly plain: string; readonly painted: string } | undefined {
    const { agent, still, now } = this.#options;
    const frames = this.#indicator?.frames;
    if (agent.operation === undefined || this.#begun === undefined || still || frames === undefined) return undefined;
    const step = this.#indicator?.intervalMs ?? FRAME_MS;
    const frame = frames[Math.floor(Math.max(0, now() - this.#begun) / step) % frames.length];
    const plain = frame === undefined ? "" : firstWords(frame, 12);
    if (frame === undefined || plain === "") return undefined;
    return { plain, painted: safeFitted(frame, paintedWidth(plain)) };
  }

  /** Uncolored: the footer has its own colors. */
  #frames(usual: readonly string[]): readonly string[] {
    return this.#indicator?.frames?.map((frame) => firstWords(frame, 12)) ?? usual;
  }

  /** `⠋ Working 12 s`, `⠋ Stopping 12 s`, `⠋ Waiting for the model, 45 s`; undefined if nothing is running. */
  get text(): string | undefined {
    const { host, agent, still, now, working } = this.#options;
    if (agent.operation === undefined || this.#begun === undefined) return undefined;
    const { message, visible = true } = working?.() ?? {};
    // Always show that something is being stopped.
    if (!visible && !agent.isStopping) return undefined;
    const age = Math.max(0, now() - this.#begun);
    const frames = this.#frames(host.glyphs.ellipsis === "..." ? FRAMES.ascii : FRAMES.unicode);
    const step = this.#indicator?.intervalMs ?? FRAME_MS;
    const sign = still ? "" : (frames[Math.floor(age / step) % frames.length] ?? "");
    const silence = this.#heard === undefined ? 0 : now() - this.#heard;
    if (silence >= SILENCE && !agent.isStopping && message === undefined) {
      return [sign, `Waiting for the model, ${Math.floor(silence / SECOND)} s`].filter((word) => word !== "").join(" ");
    }
    const what = agent.isStopping ? "Stopping" : firstWords(message ?? "Working", 60);
    return [sign, what, `${Math.floor(age / SECOND)} s`].filter((word) => word !== "").join(" ");
  }
}

/** A line of the footer with the sign in its own colors; the color of the rest continues after it. */
export function withSign(line: string, sign: BusyClock["sign"]): string {
  const at = sign === undefined ? -1 : line.indexOf(sign.plain);
  if (sign === undefined || at < 0) return line;
  const [colors] = /(?:\x1b\[[0-9;:]*m)+$/.exec(line.slice(0, at)) ?? [];
  // Without colors of its own, the theme has none.
  if (colors === undefined) return line;
  return `${line.slice(0, at)}${sign.painted}${colors}${line.slice(at + sign.plain.length)}`;
}
