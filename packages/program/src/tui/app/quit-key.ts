/** Ctrl+C: clears the editor first; pressed twice quickly, it quits. */
import type { PanelHost } from "../host/panel-host.js";

const SHORT_MS = 2000;

export class QuitKey {
  readonly #host: Pick<PanelHost, "now" | "statusFor" | "keys">;
  readonly #quit: () => void;
  #pressedAt = Number.NEGATIVE_INFINITY;

  constructor(host: Pick<PanelHost, "now" | "statusFor" | "keys">, quit: () => void) {
    this.#host = host;
    this.#quit = quit;
  }

  press({ cleared, busy }: { readonly cleared: boolean; readonly busy: boolean }): void {
    const now = this.#host.now();
    // A user who just cleared the editor did not mean to quit.
    if (!cleared && now - this.#pressedAt <= SHORT_MS) {
      this.#quit();
      return;
    }
    this.#pressedAt = now;
    const { keys } = this.#host;
    const again = `${keys.hint("everywhere.interrupt")} again quits.`;
    const kept = cleared ? `The text is in the history: ${keys.hint("editor.up")} brings it back.` : "";
    const stop = busy ? `${keys.hint("chat.stop")} stops the agent.` : "";
    const sentences = (...all: readonly string[]): string => all.filter((one) => one !== "").join(" ");
    this.#host.statusFor(SHORT_MS, sentences(kept, again, stop), kept);
  }
}
