/** Questions that close after a timeout or with a signal. */
import { dialogLimit } from "@bough/agent/extension/internal.js";
import type { UiDialogOptions } from "@bough/agent/extension/ui.js";
import { paintedWidth, safeFitted } from "@bough/agent/terminal/index.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";

interface ClosingHost {
  /** Closes what is opened here. */
  readonly host: PanelHost;
  readonly isOver: () => boolean;
  /** The question was answered. */
  readonly release: () => void;
}

const SECOND = 1000;

/** The timeout runs from the call, even while other questions are shown first. */
export function closingHost(host: PanelHost, dialog: UiDialogOptions = {}): ClosingHost {
  const { signal } = dialog;
  const timeout = dialogLimit(dialog);
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

interface NoteOptions {
  readonly host: Pick<PanelHost, "theme">;
  readonly width: number;
}

/** A title followed by a note. Whatever is at the right edge stays there; a long title is shortened. */
function withNote(title: string, note: string, { host, width }: NoteOptions): string {
  const painted = host.theme.paint("muted", note);
  const gap = title.match(/ {2,}/g)?.find((run) => run.length > note.length);
  if (gap !== undefined) return title.replace(gap, painted + " ".repeat(gap.length - note.length));
  const room = width - note.length;
  return room < 1 ? title : `${paintedWidth(title) <= room ? title : safeFitted(title, room)}${painted}`;
}

/** The seconds left, after the question's title. */
function withCountdown(host: PanelHost, panel: Panel, deadline: number): Panel {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(panel),
      draw: {
        value: (size: Parameters<Panel["draw"]>[0]) => {
          const frame = panel.draw(size);
          const [first = "", ...rest] = frame.lines;
          if (size.height === 1) return frame;
          const left = `  ${Math.max(0, Math.ceil((deadline - host.now()) / SECOND))} s`;
          return { ...frame, lines: [withNote(first, left, { host, width: size.width }), ...rest] };
        },
      },
    },
  ) as Panel;
}
