/** A terminal's panel host: panels, the status line, and services such as lending the terminal. */

import type { Notice } from "@bough/session/text/index.js";
import type { OffReason } from "../keys/off-reason.js";
import type { Panel } from "./panel.js";
import type { PanelHost, StatusLevel } from "./panel-host.js";

/** What a host needs from the terminal. */
interface HostGround extends Pick<PanelHost, "theme" | "glyphs" | "keys" | "now"> {
  readonly requestDraw: () => void;
  readonly later: (work: () => void) => void;
  readonly editorText: () => string;
  readonly setEditorText: (text: string) => void;
  readonly lend: PanelHost["lend"];
  readonly copy: (text: string) => void;
}

export interface StatusLine extends Notice {
  readonly level: StatusLevel;
}

/** The host as its owner sees it. */
export interface OwnedHost extends PanelHost {
  /** The panel that has the keyboard; undefined if the editor has it. */
  readonly top: Panel | undefined;
  /** The top panel that is not an overlay; undefined if the editor is shown. */
  readonly shownPanel: Panel | undefined;
  readonly statusLine: StatusLine | undefined;
  /** Whether panels get the whole window; undefined until the user says so. */
  readonly enlarged: boolean | undefined;
  clearStatus(): void;
  enlarge(enlarged: boolean): void;
  closeAll(): void;
}

export function createHost(ground: HostGround): OwnedHost {
  let statusLine: StatusLine | undefined;
  let passing: { readonly until: number; readonly rest: string } | undefined;
  let enlarged: boolean | undefined;
  const redraw = (): void => ground.requestDraw();
  const stack = new PanelStack(redraw);
  const setStatus = (said: OffReason, level: StatusLevel): void => {
    const notice = typeof said === "string" ? { message: said } : said;
    statusLine = notice.message === "" ? undefined : { ...notice, level };
    passing = undefined;
  };
  return {
    get theme() {
      return ground.theme;
    },
    get glyphs() {
      return ground.glyphs;
    },
    get keys() {
      return ground.keys;
    },
    get top() {
      return stack.top;
    },
    get shownPanel() {
      return stack.panels.findLast(({ share }) => share !== "overlay");
    },
    get statusLine() {
      if (passing !== undefined && ground.now() > passing.until) setStatus(passing.rest, "info");
      return statusLine;
    },
    get enlarged() {
      return enlarged;
    },
    now: ground.now,
    open: (make) => stack.open(make),
    redraw,
    status: (message, level = "info") => {
      setStatus(message, level);
      redraw();
    },
    statusFor: (milliseconds, message, rest = "") => {
      setStatus(message, "info");
      passing = { until: ground.now() + milliseconds, rest };
      setTimeout(redraw, milliseconds + 1).unref();
      redraw();
    },
    clearStatus: () => {
      if (statusLine === undefined) return;
      setStatus("", "info");
      redraw();
    },
    enlarge: (chosen) => {
      enlarged = chosen;
      redraw();
    },
    closeAll: () => stack.closeAll(),
    editorText: ground.editorText,
    setEditorText: (text) => {
      ground.setEditorText(text);
      redraw();
    },
    lend: (work) => ground.lend(work),
    copy: ground.copy,
    inSlices: (work, signal) => runInSlices(work, { now: ground.now, later: ground.later, signal }),
  };
}

/** Runs long work in short slices, so that keys never wait. */

/** A key may wait for a slice and then for its own frame; together they must fit into 16 ms. */
const SLICE_MS = 4;

interface SliceOptions {
  readonly now: () => number;
  /** Schedules a call after any pending input: `setImmediate`. */
  readonly later: (work: () => void) => void;
  readonly signal: AbortSignal;
}

/** Runs the work until it is done or the signal aborts; input is read between slices. */
function runInSlices(work: (deadline: () => boolean) => "more" | "done", options: SliceOptions): void {
  const { now, later, signal } = options;
  const slice = (): void => {
    if (signal.aborted) return;
    const until = now() + SLICE_MS;
    if (work(() => now() >= until) === "more") later(slice);
  };
  later(slice);
}

/** Stacked panels: the top one has the keyboard. */
interface Opened {
  readonly panel: Panel;
  /** Closes it without a result. */
  readonly abandon: () => void;
}

class PanelStack {
  readonly #opened: Opened[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get top(): Panel | undefined {
    return this.#opened.at(-1)?.panel;
  }

  get panels(): readonly Panel[] {
    return this.#opened.map(({ panel }) => panel);
  }

  get depth(): number {
    return this.#opened.length;
  }

  /** Resolves with the panel's result, or with `undefined` if it was closed from outside. Settles once. */
  open<Result>(make: (done: (result: Result) => void) => Panel): Promise<Result | undefined> {
    return new Promise((resolve) => {
      let opened: Opened | undefined;
      let over = false;
      const finish = (result: Result | undefined): void => {
        if (over) return;
        over = true;
        if (opened !== undefined) this.#remove(opened);
        resolve(result);
      };
      const panel = make(finish);
      opened = { panel, abandon: () => finish(undefined) };
      // Done before it was shown, so skip it.
      if (over) panel.dispose?.();
      else {
        this.#opened.push(opened);
        this.#onChange();
      }
    });
  }

  /** Closes all panels, the top one first. */
  closeAll(): void {
    while (this.#opened.length > 0) this.#opened.at(-1)?.abandon();
  }

  #remove(opened: Opened): void {
    const index = this.#opened.indexOf(opened);
    if (index === -1) return;
    this.#opened.splice(index, 1);
    opened.panel.dispose?.();
    this.#onChange();
  }
}
