/** A strip that shows the running work, its duration, and how to stop it. */
import { firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { fitLine } from "@bough/session/view/internal.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";

interface ProgressOptions<Result> {
  readonly name?: string;
  /** "Summarizing #1"; a function is asked each time it is drawn. */
  readonly title: string | (() => string);
  /** What stopping means: "you stay here". */
  readonly stops?: string;
  readonly work: (signal: AbortSignal) => Promise<Result>;
}

type ProgressOutcome<Result> = { readonly kind: "done"; readonly value: Result } | { readonly kind: "stopped" };

/**
 * Runs the work under a strip. Esc aborts its signal; the strip stays until the work has ended, so that nothing else
 * starts before. Work that ends because of the signal counts as stopped; any other failure is thrown.
 */
export async function withProgress<Result>(
  host: PanelHost,
  options: ProgressOptions<Result>,
): Promise<ProgressOutcome<Result>> {
  const stopping = new AbortController();
  let close = (): void => {};
  const shown = host.open<undefined>((done) => {
    close = () => done(undefined);
    return progressPanel(host, options, stopping);
  });
  try {
    const value = await options.work(stopping.signal);
    return stopping.signal.aborted ? { kind: "stopped" } : { kind: "done", value };
  } catch (error) {
    if (stopping.signal.aborted) return { kind: "stopped" };
    throw error;
  } finally {
    close();
    await shown;
  }
}

function progressPanel<Result>(host: PanelHost, options: ProgressOptions<Result>, stopping: AbortController): Panel {
  const begun = host.now();
  const { title, stops } = options;
  // The seconds tick on their own; the time shown is the host's.
  const ticking = setInterval(() => host.redraw(), 1000);
  ticking.unref();
  return {
    name: options.name ?? "progress",
    share: "fit",
    keyScope: "question",
    draw: (size) => {
      const words = firstWords(typeof title === "string" ? title : title());
      const seconds = Math.floor((host.now() - begun) / 1000);
      const left: Line = [
        span(` ${host.glyphs.note} `, "note"),
        span(stopping.signal.aborted ? `${words}: stopping` : words),
        span(` ${host.glyphs.ellipsis} ${seconds} s`, "muted"),
      ];
      const key = host.keys.hint("question.cancel");
      const right: Line = [span(key, "accent"), span(` stops it${stops === undefined ? "" : ` (${stops})`}`)];
      return frameOfLines(host, size, { lines: [fitLine(left, right, size.width, host.glyphs.ellipsis)] });
    },
    handleKey: (key) => {
      if (host.keys.actionFor("question", key) !== "question.cancel") return key.text !== undefined;
      stopping.abort();
      host.redraw();
      return true;
    },
    dispose: () => {
      clearInterval(ticking);
      // Closed from outside, as when the program ends: the work must not continue unseen.
      stopping.abort();
    },
  };
}
