/** Composes a whole screen: the conversation, the last status, the panel or the editor, the footer. */
import { span, type Tone } from "@bough/session/view/index.js";
import { cutLine } from "@bough/session/view/internal.js";
import type { StatusLine } from "../host/create-host.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { saidRows } from "../host/said-rows.js";

export interface ScreenParts {
  readonly host: Pick<PanelHost, "theme" | "glyphs">;
  readonly size: Size;
  readonly transcript: (size: Size) => Frame;
  /** The editor, if no panel is open. */
  readonly panel: Panel;
  readonly isEditor: boolean;
  /** What the user chose; undefined if nothing. */
  readonly enlarged: boolean | undefined;
  readonly status: StatusLine | undefined;
  /** Painted lines, none wider than the window. */
  readonly footer: readonly string[];
  /** What extensions show next to the editor. */
  readonly widgets?: (placement: "aboveEditor" | "belowEditor", size: Size) => readonly string[];
}

export interface ComposedScreen extends Frame {
  /** Starts at row 0 if that row is part of the conversation; rows below belong to the panel. */
  readonly transcriptRows: number;
}

/** Windows with fewer rows show one thing at a time. */
const LOW = 12;
/** Half of a window this tall is enough for a few lines. */
const ROOMY = 20;
/** Half of a window this tall is enough for a list and what it shows of a row. */
const TALL = 30;
const LEAST_FOR_FOOTER = 5;
/** The editor grows with its text, up to half the window. */
const LEAST_EDITOR = 4;

export function composeScreen(parts: ScreenParts): ComposedScreen {
  const { host, size, panel, isEditor, status } = parts;
  const { width, height } = size;
  const foot = parts.footer.slice(0, footerRoom(height));
  const said = status === undefined ? [] : statusLines(host, status, { width, height: statusRoom(height) });
  // A panel that chooses its own size leaves the editor in place.
  const hasWidgets = height >= LOW && (isEditor || panel.share === "fit");
  const widgetSize = { width, height: hasWidgets ? Math.floor(height / 4) : 0 };
  const over = parts.widgets?.("aboveEditor", widgetSize) ?? [];
  const under = parts.widgets?.("belowEditor", widgetSize) ?? [];
  const room = height - foot.length - said.length - over.length - under.length;
  const wanted = isEditor ? Math.max(LEAST_EDITOR, Math.floor(room / 2)) : panelHeight(parts, room);
  const most = Math.max(1, Math.min(room, wanted));
  // A rule marks the start of the panel; a full-screen panel needs none.
  const ruled = !isEditor && most < room;
  const drawn = panel.draw({ width, height: ruled ? Math.max(1, most - 1) : most, isWhole: !isEditor && !ruled });
  const hasRule = ruled || (!isEditor && panel.share === "fit" && drawn.lines.length < most);
  const rule = hasRule ? [host.theme.paint("border", host.glyphs.rule.repeat(width))] : [];
  const own = panel.share === "fit" ? drawn.lines.length : most - rule.length;
  const body = Array.from({ length: own }, (_, row) => drawn.lines[row] ?? "");
  const transcriptRows = Math.max(0, room - rule.length - body.length);
  const above = transcriptRows === 0 ? [] : parts.transcript({ width, height: transcriptRows }).lines;
  const top = Array.from({ length: transcriptRows }, (_, row) => above[row] ?? "");
  const start = transcriptRows + said.length + over.length + rule.length;
  const lines = [...top, ...said, ...over, ...rule, ...body, ...under, ...foot].slice(0, height);
  const { cursor } = drawn;
  return cursor === undefined
    ? { lines, transcriptRows }
    : { lines, transcriptRows, cursor: { row: start + cursor.row, column: cursor.column } };
}

function panelHeight({ panel, enlarged, size }: ScreenParts, room: number): number {
  if (panel.share === "full") return room;
  if (panel.share === "fit") return size.height < LOW ? room : Math.max(3, room - 1);
  return size.height < LOW || isEnlarged(panel, { enlarged, height: size.height }) ? room : Math.floor(size.height / 2);
}

/** Whether a panel that takes half of the window takes all of it. Half of a low one shows too little of some. */
export function isEnlarged(
  { wants }: Panel,
  { enlarged, height }: Pick<ScreenParts, "enlarged"> & Pick<Size, "height">,
): boolean {
  return enlarged ?? height < (wants === "rows" ? TALL : ROOMY);
}

/** An extension's footer may have several lines. */
function footerRoom(height: number): number {
  if (height < LEAST_FOR_FOOTER) return 0;
  return height < LOW ? 1 : Math.floor(height / 4);
}

const TONES: Readonly<Record<StatusLine["level"], Tone>> = {
  info: "text",
  good: "good",
  warning: "note",
  error: "bad",
};

/** The status may use a second and a third line, because its hint says what to do next. */
function statusRoom(height: number): number {
  if (height < 3) return 0;
  return height < LOW ? 1 : 3;
}

/** Shown by a symbol as well, for terminals without colors. */
function statusLines(
  { theme, glyphs }: ScreenParts["host"],
  { level, ...said }: StatusLine,
  { width, height }: Size,
): readonly string[] {
  const sign = level === "error" ? `${glyphs.failed} ` : level === "warning" ? `${glyphs.warning} ` : "";
  return saidRows({ ...said, message: `${sign}${said.message}` }, { width: width - 1, most: height })
    .slice(0, height)
    .map((line) => theme.line(cutLine([span(` ${line}`, TONES[level])], width, glyphs.ellipsis)));
}
