/** Questions that close by themselves: after a time, or with a signal. */
import type { UiDialogOptions } from "../../extension/ui.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { paintedWidth } from "./painted-line.js";

interface ClosingHost {
  /** What is opened here is taken away when it is over. */
  readonly host: PanelHost;
  readonly isOver: () => boolean;
  /** The question has its answer. */
  readonly release: () => void;
}

const SECOND = 1000;

/** The time runs from the call, also while other questions are before this one. */
export function closingHost(host: PanelHost, { signal, timeout }: UiDialogOptions = {}): ClosingHost {
  if (signal === undefined && timeout === undefined) return { host, isOver: () => false, release: () => {} };
  const deadline = timeout === undefined ? undefined : host.now() + timeout;
  let isOver = signal?.aborted ?? false;
  const closers = new Set<() => void>();
  const end = (): void => {
    isOver = true;
    for (const close of closers) close();
  };
  signal?.addEventListener("abort", end, { once: true });
  const clock = timeout === undefined ? undefined : setTimeout(end, timeout);
  const ticking = timeout === undefined ? undefined : setInterval(() => host.redraw(), SECOND).unref();
  const open: PanelHost["open"] = (make) =>
    host.open<never>((done) => {
      closers.add(() => (done as (result: undefined) => void)(undefined));
      const panel = make(done as Parameters<typeof make>[0]);
      return deadline === undefined ? panel : withCountdown(host, panel, deadline);
    });
  const properties = { ...Object.getOwnPropertyDescriptors(host), open: { value: open, enumerable: true } };
  return {
    host: Object.defineProperties({}, properties) as PanelHost,
    isOver: () => isOver,
    release: () => {
      clearTimeout(clock);
      clearInterval(ticking);
      signal?.removeEventListener("abort", end);
    },
  };
}

/** How many seconds are left, at the end of the first line. */
function withCountdown(host: PanelHost, panel: Panel, deadline: number): Panel {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(panel),
      draw: {
        value: (size: Parameters<Panel["draw"]>[0]) => {
          const frame = panel.draw(size);
          const [first = "", ...rest] = frame.lines;
          const left = `  ${Math.max(0, Math.ceil((deadline - host.now()) / SECOND))} s`;
          const fits = size.height > 1 && paintedWidth(first) + left.length <= size.width;
          return fits ? { ...frame, lines: [first + host.theme.paint("muted", left), ...rest] } : frame;
        },
      },
    },
  ) as Panel;
}
