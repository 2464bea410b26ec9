/** What components of pi draw with; `ctx.ui.theme` and the theme passed to a factory implement it. */

export interface PiTheme {
  fg(colour: string, text: string): string;
  bg(colour: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  strikethrough(text: string): string;
}

export interface PiKeybindings {
  matches(data: string, keybinding: string): boolean;
}
