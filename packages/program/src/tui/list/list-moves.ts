/** Moves shared by every list and text, so that the keys are the same everywhere. */
import { key, type ScreenKey } from "../keys/key-table.js";

/** Something to move in: rows with a selection, or scrolling lines. */
export interface Movable {
  /** Rows or lines on the screen. */
  readonly pageSize: number;
  /** Stops at the first and the last one. */
  moveBy(rows: number): void;
  /** Why it cannot move further; omitted if no message is needed. */
  endReached?(direction: "up" | "down"): string | undefined;
}

/** The screen itself, or the screen that owns the panel. */
type MovesOn = Movable | { readonly panel: Movable };

/** Further than any list goes. */
export const FAR = 1_000_000_000;

interface ListMoveOptions {
  readonly scope: string;
  /** What a row is called: "session". */
  readonly thing: string;
  /**
   * `letters`: letters are commands, and a slash starts a search. `typing`: letters are search words, so only keys that
   * type nothing move.
   */
  readonly kind: "letters" | "typing";
}

const one = (): number => 1;
const far = (): number => FAR;
const page = ({ pageSize }: Movable): number => pageSize;

export function listMoves({ scope, thing, kind }: ListMoveOptions): readonly ScreenKey<MovesOn>[] {
  const also = (letter: string, ...typing: readonly string[]) => (kind === "letters" ? [letter] : typing);
  return [
    key(`${scope}.previous`, ["up", ...also("k", "ctrl+p")], `go to the ${thing} above`, moves("up", one)),
    key(`${scope}.next`, ["down", ...also("j", "ctrl+n")], `go to the ${thing} below`, moves("down", one)),
    key(`${scope}.first`, ["home", ...also("g")], `go to the first ${thing}`, moves("up", far)),
    key(`${scope}.last`, ["end", ...also("G")], `go to the last ${thing}`, moves("down", far)),
    key(`${scope}.pageUp`, ["pageup"], "go a page up", moves("up", page)),
    key(`${scope}.pageDown`, ["pagedown"], "go a page down", moves("down", page)),
  ];
}

/** The moves through read-only text. */
export function pagerMoves(scope: string): readonly ScreenKey<MovesOn>[] {
  return [
    key(`${scope}.up`, ["up", "k"], "scroll up one line", moves("up", one)),
    key(`${scope}.down`, ["down", "j"], "scroll down one line", moves("down", one)),
    key(`${scope}.pageUp`, ["pageup"], "scroll up one page", moves("up", page)),
    key(`${scope}.pageDown`, ["pagedown", "space"], "scroll down one page", moves("down", page)),
    key(`${scope}.first`, ["home", "g"], "scroll to the start", moves("up", far)),
    key(`${scope}.last`, ["end", "G"], "scroll to the end", moves("down", far)),
  ];
}

/** Help and close, at the end of a list's table. */
export function listEnds(
  scope: string,
  kind: ListMoveOptions["kind"],
): readonly ScreenKey<{ readonly panel: { help(): void; close(): void } }>[] {
  const letters = kind === "letters";
  const out = letters ? ["esc", "q", "ctrl+c"] : ["esc", "ctrl+c"];
  return [
    key(`${scope}.help`, letters ? ["?", "f1"] : ["f1"], "show all keys", ({ panel }) => panel.help()),
    key(`${scope}.close`, out, "clear the filter, then close", ({ panel }) => panel.close()),
  ];
}

/** Also for keys with other names. */
export function moves(
  direction: "up" | "down",
  distance: (on: Movable) => number,
): Pick<ScreenKey<MovesOn>, "run" | "disabled"> {
  return {
    run: (on) => movable(on).moveBy((direction === "up" ? -1 : 1) * distance(movable(on))),
    disabled: (on) => movable(on).endReached?.(direction),
  };
}

function movable(on: MovesOn): Movable {
  return "panel" in on ? on.panel : on;
}
