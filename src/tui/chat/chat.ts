/** The conversation and the place to write, as the rest of the terminal sees them. */
import type { AgentEvent, AgentSession } from "../../agent/index.js";
import type { Completion } from "../../command/index.js";
import type { EntryId } from "../../entry/index.js";
import type { MessageRenderer } from "../../extension/index.js";
import type { Line } from "../../view/index.js";
import type { Desk, StatusLevel } from "../desk/desk.js";
import type { Frame, Panel, Size } from "../desk/panel.js";

export interface ChatParts {
  readonly desk: Desk;
  /** Its events are handed over with `handleEvent`. */
  readonly agent: AgentSession;
  readonly cwd: string;
  /** An extension's way to draw its messages. */
  readonly renderer: (customType: string) => MessageRenderer | undefined;
  /** What the branch with this entry is called: "#4 lexer". */
  readonly branchName?: (id: EntryId) => string | undefined;
  /** Ways to finish a line that begins with a slash; `from` is where a value begins. */
  readonly completeCommand: (
    line: string,
  ) => Promise<{ readonly from: number; readonly items: readonly Completion[] } | undefined>;
  /** Whether a line with a slash is a command, and no prompt that happens to begin with one. */
  readonly isCommand: (line: string) => boolean;
  /** Runs a command and says what came of it. */
  readonly runCommand: (line: string) => Promise<void>;
  /** Whether a panel shows how a summary is coming along. */
  readonly progressElsewhere?: () => boolean;
  /** The clock of running work, which stops while a person is asked; that of the desk by default. */
  readonly workNow?: () => number;
  /** Esc was pressed twice on an empty text. */
  readonly doubleEscape: () => void;
  /** For `VISUAL` and `EDITOR`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The setting; wins over `VISUAL` and `EDITOR`. */
  readonly externalEditor?: string;
  /** `name`: pictures are never drawn. Left out: they are where the terminal can. */
  readonly images?: "draw" | "name";
}

export interface Chat {
  /** Exactly as many lines as the size has. A line with a picture holds the sequence that shows it. */
  drawTranscript(size: Size): Frame;
  /** What waits to be sent, the text, and the list of completions. */
  readonly editor: Panel;
  handleEvent(event: AgentEvent): void;
  /** Looks at the session anew: another leaf, another session, entries of other processes. */
  refresh(): void;
  /** Scrolls to an entry of the path and marks it; false where it is not on the path. */
  showEntry(id: EntryId): boolean;
  /** Negative: towards the beginning. */
  scrollLines(lines: number): void;
  scrollPages(pages: number): void;
  scrollTo(where: "top" | "end" | "previous-prompt" | "next-prompt"): void;
  /** Whether the window stays at the end as the conversation grows. */
  readonly following: boolean;
  /** Opens or folds: all of a kind, or the lowest block in the window that can. */
  toggle(what: "thinking" | "tools" | "notes" | "block"): void;
  /** Opens or folds the block on a row of the transcript, as a click does; false where there is none. */
  toggleAt(row: number): boolean;
  /** Says something in the transcript that goes into no file. */
  note(text: string, level?: StatusLevel): void;
  /** What stands above the first entry. */
  setIntro(lines: readonly Line[]): void;
  /** What is written and not sent. */
  readonly text: string;
  /** What stood there goes to the input history first. */
  setText(text: string): void;
  /** The same with nothing; false where nothing stood there. */
  clearText(): boolean;
  /** As if it had been typed and sent: a command, a shell command, a prompt, or a word to the agent at work. */
  submit(text: string): Promise<void>;
  /** Resolves when the text is back, changed or not. */
  openExternalEditor(): Promise<void>;
  /** How much was drawn, for tests and benchmarks. */
  readonly cost: { readonly drawn: number; readonly kept: number };
  dispose(): void;
}
