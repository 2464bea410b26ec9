// Runs a program in a pseudo-terminal and draws its screen as an SVG picture, still or animated.
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

const CELL = { width: 8.4, height: 18 };
const MARGIN = 12;
const COLOURS = {
  background: "#12161c",
  text: "#d5dae1",
  border: "#586069",
  // The sixteen terminal colors, dark ones first.
  palette: [
    ...["#1c2128", "#f47067", "#57c785", "#d9a441", "#6cb6ff", "#d2a8ff", "#56d4dd", "#c5cdd6"],
    ...["#768390", "#ff938a", "#7ee2a8", "#e8c06c", "#96d0ff", "#e2c5ff", "#8be5ec", "#f0f3f6"],
  ],
};
const CAPTION_HEIGHT = 32;
const rounded = (value) => Math.round(value * 10) / 10;
const rounded3 = (value) => Math.round(value * 1000) / 1000;
const PATIENCE_MS = 20_000;
const QUIET_MS = 120;
/** The terminal mode that shows the cursor (DECTCEM). */
const CURSOR_MODE = 25;
const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

/** A running program whose screen can be read, waited for and drawn. */
export class PictureTerminal {
  constructor({ command, args, cwd, env, columns, rows }) {
    this.screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.pty = spawn(command, args, { name: "xterm-256color", cols: columns, rows, cwd, env });
    this.watchers = new Set();
    this.cursorShown = true;
    for (const final of ["h", "l"]) {
      this.screen.parser.registerCsiHandler({ prefix: "?", final }, (modes) => {
        if (modes.includes(CURSOR_MODE)) this.cursorShown = final === "h";
        return false;
      });
    }
    this.screen.onData((data) => this.pty.write(data));
    this.pty.onData((data) => this.screen.write(data, () => this.look()));
  }

  look() {
    for (const watcher of [...this.watchers]) watcher();
  }

  get text() {
    const { active } = this.screen.buffer;
    const rows = Array.from({ length: this.screen.rows }, (_, row) => active.getLine(active.viewportY + row));
    return rows.map((line) => line?.translateToString(true) ?? "").join("\n");
  }

  press(data) {
    this.pty.write(data);
  }

  shows(expected) {
    return new Promise((resolve, reject) => {
      const end = (settle, value) => {
        clearTimeout(timer);
        this.watchers.delete(look);
        settle(value);
      };
      const look = () => {
        if (this.text.includes(expected)) end(resolve);
      };
      const timer = setTimeout(() => end(reject, new Error(`Never showed ${expected}:\n${this.text}`)), PATIENCE_MS);
      this.watchers.add(look);
      look();
    });
  }

  /** Waits until the program has been silent for a moment, because a screen is drawn in several writes. */
  settled() {
    return new Promise((resolve) => {
      const end = () => {
        this.watchers.delete(restart);
        resolve();
      };
      let timer = setTimeout(end, QUIET_MS);
      const restart = () => {
        clearTimeout(timer);
        timer = setTimeout(end, QUIET_MS);
      };
      this.watchers.add(restart);
    });
  }

  close() {
    this.pty.kill("SIGKILL");
  }

  /** The rows of the current screen, with the cursor, each drawn as if it were the first. */
  rows() {
    const { cols, rows, buffer } = this.screen;
    const { cursorX, cursorY, viewportY } = buffer.active;
    return Array.from({ length: rows }, (_, row) => {
      const line = buffer.active.getLine(viewportY + row);
      const drawn = line === undefined ? "" : drawLine(line, 0, cols).join("");
      return drawn + (this.cursorShown && row === cursorY ? drawCursor(cursorX) : "");
    });
  }

  /** The current screen. */
  picture(name) {
    const title = name.replace(/[&<>"]/g, "");
    const { cols, rows, buffer } = this.screen;
    const width = cols * CELL.width + 2 * MARGIN;
    const height = rows * CELL.height + 2 * MARGIN;
    const parts = [];
    for (let row = 0; row < rows; row++) {
      const line = buffer.active.getLine(buffer.active.viewportY + row);
      if (line !== undefined) parts.push(...drawLine(line, row, cols));
    }
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="${COLOURS.background}"/>
<g font-family="${FONT}" font-size="14">
${parts.join("\n")}
</g>
</svg>
`;
  }
}

/**
 * Draws frames as one animated picture. The frames are stacked in a strip that moves past a window frame by frame, so
 * that only one element is animated. A row that occurs in several frames is drawn once. Readers who asked for less
 * motion see the frame marked `still`.
 *
 * @param {{ title: string, columns: number, frames: { caption: string, rows: string[], ms: number, still?: boolean }[]
 * }} film
 */
export function movingPicture({ title, columns, frames }) {
  const width = rounded(columns * CELL.width + 2 * MARGIN);
  const screenHeight = frames[0].rows.length * CELL.height + 2 * MARGIN;
  const height = screenHeight + CAPTION_HEIGHT;
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  const drawn = new Map();
  const nameOf = (row) => {
    if (!drawn.has(row)) drawn.set(row, `r${drawn.size}`);
    return drawn.get(row);
  };
  const stops = [];
  let at = 0;
  const strip = frames.map(({ caption, rows, ms }, index) => {
    stops.push(`${rounded3((at / total) * 100)}%{transform:translateY(${-index * height}px)}`);
    at += ms;
    const lines = rows
      .map((row, line) =>
        row === "" ? "" : `<use href="#${nameOf(row)}" y="${line * CELL.height + CAPTION_HEIGHT}"/>`,
      )
      .join("");
    return `<g transform="translate(0 ${index * height})"><text class="c" x="${MARGIN + 4}" y="21">${escaped(caption)}</text>${lines}</g>`;
  });
  const still = `transform:translateY(${-frames.findIndex(({ still }) => still === true) * height}px)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>
.s{animation:film ${total}ms step-end infinite}
.c{fill:${COLOURS.text};font-weight:bold}
@keyframes film{${stops.join("")}}
@media (prefers-reduced-motion:reduce){.s{animation:none;${still}}}
</style>
<defs>
${[...drawn].map(([row, name]) => `<g id="${name}">${row}</g>`).join("\n")}
</defs>
<rect x="0.5" y="0.5" width="${rounded(width - 1)}" height="${height - 1}" rx="8" fill="${COLOURS.background}" stroke="${COLOURS.border}"/>
<path d="M1 ${CAPTION_HEIGHT}H${rounded(width - 1)}" stroke="${COLOURS.border}"/>
<g class="s" font-family="${FONT}" font-size="14">
${strip.join("\n")}
</g>
</svg>
`;
}

/**
 * Adjacent cells of the same style become one text with a fixed length, so that columns stay aligned. Characters
 * outside ASCII get their own text: they may come from another font, whose width must not shift the words next to them.
 */
function drawLine(line, row, cols) {
  const parts = [];
  let run;
  const flush = () => {
    if (run !== undefined && (run.text.trim() !== "" || run.fill !== undefined)) parts.push(drawRun(run, row));
    run = undefined;
  };
  for (let column = 0; column < cols; column++) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    const isPlain = /^[\x20-\x7e]*$/.test(cell.getChars());
    const key = JSON.stringify([look, isPlain]);
    if (run?.key !== key) {
      flush();
      run = { key, ...look, column, cells: 0, text: "" };
    }
    run.text += cell.getChars() === "" ? " " : cell.getChars();
    run.cells += cell.getWidth();
  }
  flush();
  return parts;
}

function drawCursor(column) {
  return `<rect x="${rounded(MARGIN + column * CELL.width)}" y="${MARGIN}" width="${CELL.width}" height="${CELL.height}" fill="${COLOURS.text}" opacity="0.75"/>`;
}

function lookOf(cell) {
  const ink = colourOf(cell.isFgDefault(), cell.isFgPalette(), cell.getFgColor()) ?? COLOURS.text;
  const paper = colourOf(cell.isBgDefault(), cell.isBgPalette(), cell.getBgColor());
  const reversed = cell.isInverse() !== 0;
  return {
    ink: reversed ? (paper ?? COLOURS.background) : ink,
    fill: reversed ? ink : paper,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
  };
}

function colourOf(isDefault, isPalette, value) {
  if (isDefault) return undefined;
  if (!isPalette) return `#${value.toString(16).padStart(6, "0")}`;
  if (value < 16) return COLOURS.palette[value];
  if (value >= 232) {
    const grey = (8 + (value - 232) * 10).toString(16).padStart(2, "0");
    return `#${grey}${grey}${grey}`;
  }
  const step = (part) => (part === 0 ? 0 : 55 + part * 40).toString(16).padStart(2, "0");
  const cube = value - 16;
  return `#${step(Math.floor(cube / 36))}${step(Math.floor(cube / 6) % 6)}${step(cube % 6)}`;
}

function drawRun({ text, column, cells, ink, fill, bold, dim, italic, underline }, row) {
  const x = MARGIN + column * CELL.width;
  const y = MARGIN + row * CELL.height;
  const width = cells * CELL.width;
  const paper =
    fill === undefined
      ? ""
      : `<rect shape-rendering="crispEdges" x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${CELL.height}" fill="${fill}"/>`;
  // Spaces at the ends would not be drawn, and the rest would be stretched.
  const words = text.trim();
  if (words === "") return paper;
  const start = x + (text.length - text.trimStart().length) * CELL.width;
  const length = (cells - (text.length - words.length)) * CELL.width;
  const style = [
    bold ? ' font-weight="bold"' : "",
    dim ? ' opacity="0.6"' : "",
    italic ? ' font-style="italic"' : "",
    underline ? ' text-decoration="underline"' : "",
  ].join("");
  const stretch = /^[\x20-\x7e]*$/.test(words) ? "" : ' lengthAdjust="spacingAndGlyphs"';
  return `${paper}<text x="${rounded(start)}" y="${rounded(y + 13.5)}" textLength="${rounded(length)}"${stretch} fill="${ink}"${style}>${escaped(words)}</text>`;
}

function escaped(text) {
  return text
    .replaceAll(" ", "\u00a0")
    .replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}
