/** The terminal: screens, keys, theme. Loaded only for interactive use. */
export type { AppParts } from "./app/app-parts.js";
export { SCREENS } from "./app/screens.js";
export { openTerminal, type TerminalApp, type TerminalOptions } from "./app/terminal-app.js";
export type { Frame, Panel, Size } from "./host/panel.js";
export type { PanelHost, StatusLevel } from "./host/panel-host.js";
export { ALL_KEYS } from "./keys/all-keys.js";
export type { NamedKeyScope } from "./keys/create-key-map.js";
export type { KeyMap } from "./keys/key-map.js";
export { keyHint } from "./keys/key-names.js";
export type { KeyPress } from "./keys/key-press.js";
export type { KeyAction, KeyScope } from "./keys/key-table.js";
export { askChoice } from "./questions/ask-choice.js";
export type { OtherOpener, PresenceAnswer } from "./questions/ask-presence.js";
export type { TerminalPort } from "./terminal/terminal-port.js";
export type { Theme } from "./theme/theme.js";
