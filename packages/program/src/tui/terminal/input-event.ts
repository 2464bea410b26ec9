/** Input events of a terminal. */
import type { KeyPress } from "../keys/key-press.js";
import { decodeKey } from "./decode-key.js";
import type { InputPiece } from "./split-input.js";

export type InputEvent =
  | { readonly kind: "key"; readonly key: KeyPress }
  | { readonly kind: "paste"; readonly text: string }
  /** Rows from 0; lines are negative upwards. */
  | { readonly kind: "wheel"; readonly lines: number; readonly row: number }
  | { readonly kind: "click"; readonly row: number; readonly column: number }
  /** The terminal answered a question about itself. */
  | { readonly kind: "answer"; readonly about: "kitty-keys" | "marked-pastes" | "other" };

const MOUSE = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/;
const WHEEL_LINES = 3;

/** Undefined if it is not used here. */
export function inputEvent(piece: InputPiece): InputEvent | undefined {
  if (piece.kind === "paste") return { kind: "paste", text: piece.text.replace(/\r\n?/g, "\n") };
  const { data } = piece;
  const mouse = MOUSE.exec(data);
  if (mouse !== null) return mouseEvent(mouse);
  if (/^\x1b\[\?\d+u$/.test(data)) return { kind: "answer", about: "kitty-keys" };
  if (/^\x1b\[\?2004;[123]\$y$/.test(data)) return { kind: "answer", about: "marked-pastes" };
  if (/^\x1b[\]P_^X]/.test(data) || /^\x1b\[[?>=]/.test(data)) return { kind: "answer", about: "other" };
  const key = decodeKey(data);
  return key === undefined ? undefined : { kind: "key", key };
}

function mouseEvent([, code, column, row, end]: RegExpExecArray): InputEvent | undefined {
  const button = Number(code);
  const at = { row: Number(row) - 1, column: Number(column) - 1 };
  if ((button & ~28) === 64) return { kind: "wheel", lines: -WHEEL_LINES, row: at.row };
  if ((button & ~28) === 65) return { kind: "wheel", lines: WHEEL_LINES, row: at.row };
  return button === 0 && end === "M" ? { kind: "click", ...at } : undefined;
}
