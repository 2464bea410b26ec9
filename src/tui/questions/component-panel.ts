/** A component that an extension brought, drawn instead of the editor. */

import { withoutControls } from "../../text/index.js";
import { cutToWidth, displayWidth } from "../../view/internal.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";

/** What the terminal can draw: lines for a width. Everything else is up to the component. */
interface DrawnComponent {
  render(width: number): readonly string[];
  /** The bytes of a key, as the terminal sent them, and the function that closes the component. */
  handleInput?(data: string, done: () => void): void;
  dispose?(): void;
}

export function isDrawnComponent(value: unknown): value is DrawnComponent {
  return typeof value === "object" && value !== null && "render" in value && typeof value.render === "function";
}

/** A component that throws is closed and named; one that keeps the keyboard can always be left with Ctrl+C. */
export function componentPanel(host: PanelHost, component: DrawnComponent, close: () => void): Panel {
  const failed = (error: unknown): void => {
    host.status(`An extension component failed: ${String(error)}`, "error");
    close();
  };
  return {
    name: "component",
    share: "half",
    isQuestion: true,
    draw: ({ width, height }) => {
      try {
        return {
          lines: component
            .render(width)
            .slice(0, height)
            .map((line) => fitted(String(line), width)),
        };
      } catch (error) {
        // Not while drawing: closing draws again.
        setImmediate(() => failed(error));
        return { lines: [] };
      }
    },
    handleKey: (key) => {
      if (key.name === "ctrl+c") {
        close();
        return true;
      }
      if (component.handleInput === undefined) {
        if (host.keys.actionFor("question", key) === "question.cancel") close();
        return true;
      }
      try {
        component.handleInput(key.raw, close);
      } catch (error) {
        failed(error);
      }
      host.redraw();
      return true;
    },
    handlePaste: (text) => {
      component.handleInput?.(`\x1b[200~${text}\x1b[201~`, close);
      host.redraw();
    },
    dispose: () => component.dispose?.(),
  };
}

/** Colors may stay; where the line is too wide they go, because cutting could leave one switched on. */
function fitted(line: string, width: number): string {
  const safe = safePainted(line);
  const bare = safe.replace(/\x1b\[[0-9;:]*m/g, "");
  return displayWidth(bare) <= width ? safe : cutToWidth(bare, width);
}

/** Text of others that may have colors: those stay, everything else that a terminal would obey goes. */
const COLOUR = /\x1b\[[0-9;:]*m/g;
const RESET = "\x1b[0m";

/** One line. Ends with everything switched off where anything was switched on. */
export function safePainted(line: string): string {
  let safe = "";
  let from = 0;
  let painted = false;
  for (const match of line.matchAll(COLOUR)) {
    safe += plain(line.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
    painted = true;
  }
  safe += plain(line.slice(from));
  return painted ? `${safe}${RESET}` : safe;
}

function plain(text: string): string {
  return withoutControls(text).replace(/[\n\t]/g, " ");
}
