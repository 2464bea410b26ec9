/** The desk of a terminal: panels, the status line, and what the terminal itself has to do for a screen. */
import type { Desk, StatusLevel } from "./desk.js";
import type { Panel } from "./panel.js";
import { PanelStack } from "./panel-stack.js";
import { runInSlices } from "./slices.js";

/** What a desk stands on. */
interface DeskGround extends Pick<Desk, "theme" | "glyphs" | "keys" | "now"> {
  readonly requestDraw: () => void;
  readonly later: (work: () => void) => void;
  readonly editorText: () => string;
  readonly setEditorText: (text: string) => void;
  readonly lend: Desk["lend"];
  readonly copy: (text: string) => void;
}

export interface StatusLine {
  readonly message: string;
  readonly level: StatusLevel;
}

/** The desk as its owner sees it. */
export interface OwnedDesk extends Desk {
  /** The panel that has the keyboard; undefined where the editor has it. */
  readonly top: Panel | undefined;
  readonly statusLine: StatusLine | undefined;
  /** Whether panels get the whole window. */
  readonly enlarged: boolean;
  clearStatus(): void;
  toggleEnlarged(): void;
  closeAll(): void;
}

export function createDesk(ground: DeskGround): OwnedDesk {
  let statusLine: StatusLine | undefined;
  let passing: { readonly until: number; readonly rest: string } | undefined;
  let enlarged = false;
  const redraw = (): void => ground.requestDraw();
  const stack = new PanelStack(redraw);
  const setStatus = (message: string, level: StatusLevel): void => {
    statusLine = message === "" ? undefined : { message, level };
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
    toggleEnlarged: () => {
      enlarged = !enlarged;
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
