/** The moves that every list and every text has, so that they are the same keys everywhere. */
import type { ScreenKey } from "../keys/key-table.js";

/** Something to move in: rows with a selected one, or lines that scroll. */
export interface Movable {
  /** Rows or lines on the screen. */
  readonly pageSize: number;
  /** As far as there is something. */
  moveBy(rows: number): void;
  /** Why there is nothing further that way; omitted if no one has to be told. */
  endReached?(direction: "up" | "down"): string | undefined;
}

/** The screen itself, or one whose panel it is. */
type MovesOn = Movable | { readonly panel: Movable };

/** Further than any list goes. */
export const FAR = 1_000_000_000;

interface ListMoveOptions {
  readonly scope: string;
  /** What a row is: "session". */
  readonly thing: string;
  /**
   * `letters`: letters are commands, and a search begins with a slash. `typing`: letters are words to look for, so only
   * keys that type nothing move.
   */
  readonly kind: "letters" | "typing";
}

export function listMoves({ scope, thing, kind }: ListMoveOptions): readonly ScreenKey<MovesOn>[] {
  const letters = kind === "letters";
  return [
    {
      id: `${scope}.previous`,
      keys: letters ? ["up", "k"] : ["up", "ctrl+p"],
      help: `go to the ${thing} above`,
      ...moves("up", () => 1),
    },
    {
      id: `${scope}.next`,
      keys: letters ? ["down", "j"] : ["down", "ctrl+n"],
      help: `go to the ${thing} below`,
      ...moves("down", () => 1),
    },
    {
      id: `${scope}.first`,
      keys: letters ? ["home", "g"] : ["home"],
      help: `go to the first ${thing}`,
      ...moves("up", () => FAR),
    },
    {
      id: `${scope}.last`,
      keys: letters ? ["end", "G"] : ["end"],
      help: `go to the last ${thing}`,
      ...moves("down", () => FAR),
    },
    { id: `${scope}.pageUp`, keys: ["pageup"], help: "go a page up", ...moves("up", ({ pageSize }) => pageSize) },
    {
      id: `${scope}.pageDown`,
      keys: ["pagedown"],
      help: "go a page down",
      ...moves("down", ({ pageSize }) => pageSize),
    },
  ];
}

/** The moves through a text that is only read. */
export function pagerMoves(scope: string): readonly ScreenKey<MovesOn>[] {
  const page = ({ pageSize }: Movable): number => pageSize;
  return [
    { id: `${scope}.up`, keys: ["up", "k"], help: "scroll up one line", ...moves("up", () => 1) },
    { id: `${scope}.down`, keys: ["down", "j"], help: "scroll down one line", ...moves("down", () => 1) },
    { id: `${scope}.pageUp`, keys: ["pageup"], help: "scroll up one page", ...moves("up", page) },
    { id: `${scope}.pageDown`, keys: ["pagedown", "space"], help: "scroll down one page", ...moves("down", page) },
    { id: `${scope}.first`, keys: ["home", "g"], help: "scroll to the start", ...moves("up", () => FAR) },
    { id: `${scope}.last`, keys: ["end", "G"], help: "scroll to the end", ...moves("down", () => FAR) },
  ];
}

/** Help and the way out, at the end of a list's table. */
export function listEnds(
  scope: string,
  kind: ListMoveOptions["kind"],
): readonly ScreenKey<{ readonly panel: { help(): void; close(): void } }>[] {
  const letters = kind === "letters";
  return [
    {
      id: `${scope}.help`,
      keys: letters ? ["?", "f1"] : ["f1"],
      help: "show all keys",
      run: ({ panel }) => panel.help(),
    },
    {
      id: `${scope}.close`,
      keys: letters ? ["esc", "q", "ctrl+c"] : ["esc", "ctrl+c"],
      help: "clear the filter, then close",
      run: ({ panel }) => panel.close(),
    },
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
