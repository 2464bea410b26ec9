/** The terminal: screens, keys, theme. */
export type { Desk, StatusLevel } from "./desk/desk.js";
export type { Frame, Panel, Size } from "./desk/panel.js";
export type { KeyMap } from "./keys/key-map.js";
export type { KeyPress } from "./keys/key-press.js";
export type { KeyAction, KeyScope } from "./keys/key-table.js";
export type { PaintTone, Theme } from "./theme/theme.js";
