/** The moves that every list with keys of its own has, so that they are the same keys everywhere. */
import type { KeyAction } from "../keys/key-table.js";

/**
 * `letters`: letters are commands, and a search begins with a slash. `typing`: letters are words to look for, so only
 * keys that type nothing move.
 */
export function listMoves(scope: string, thing: string, kind: "letters" | "typing"): readonly KeyAction[] {
  const letters = kind === "letters";
  return [
    { id: `${scope}.previous`, keys: letters ? ["up", "k"] : ["up", "ctrl+p"], help: `go to the ${thing} above` },
    { id: `${scope}.next`, keys: letters ? ["down", "j"] : ["down", "ctrl+n"], help: `go to the ${thing} below` },
    { id: `${scope}.first`, keys: letters ? ["home", "g"] : ["home"], help: `go to the first ${thing}` },
    { id: `${scope}.last`, keys: letters ? ["end", "G"] : ["end"], help: `go to the last ${thing}` },
    { id: `${scope}.pageUp`, keys: ["pageup"], help: "go a page up" },
    { id: `${scope}.pageDown`, keys: ["pagedown"], help: "go a page down" },
  ];
}

/** The moves through a text that is only read. */
export function sheetMoves(scope: string): readonly KeyAction[] {
  return [
    { id: `${scope}.up`, keys: ["up", "k"], help: "scroll up one line" },
    { id: `${scope}.down`, keys: ["down", "j"], help: "scroll down one line" },
    { id: `${scope}.pageUp`, keys: ["pageup"], help: "scroll up one page" },
    { id: `${scope}.pageDown`, keys: ["pagedown", "space"], help: "scroll down one page" },
    { id: `${scope}.first`, keys: ["home", "g"], help: "scroll to the start" },
    { id: `${scope}.last`, keys: ["end", "G"], help: "scroll to the end" },
    { id: `${scope}.copy`, keys: ["y"], help: "copy the text" },
  ];
}

/** Help and the way out, at the end of a scope. */
export function listEnds(scope: string, kind: "letters" | "typing"): readonly KeyAction[] {
  const letters = kind === "letters";
  return [
    { id: `${scope}.help`, keys: letters ? ["?", "f1"] : ["f1"], help: "show all keys" },
    {
      id: `${scope}.close`,
      keys: letters ? ["esc", "q", "ctrl+c"] : ["esc", "ctrl+c"],
      help: "clear the words, then close",
    },
  ];
}
