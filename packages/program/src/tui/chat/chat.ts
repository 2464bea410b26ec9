/** The conversation: the transcript and the editor together. */

import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import type { MessageRenderer } from "@bough/agent/extension/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import { type Line, lineText } from "@bough/session/view/index.js";
import type { Completion } from "../../command/index.js";
import type { ShellChat } from "../app/chat-layer.js";
import type { Frame, Size } from "../host/panel.js";
import type { PanelHost, StatusLevel } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { offText } from "../keys/off-reason.js";
import { ChatEditor } from "./chat-editor.js";
import { type ChatApp, type ChatTarget, chatKey } from "./chat-keys.js";
import { externalEditorCommand, writeInEditor } from "./editor/external-editor.js";
import { ProjectFiles } from "./editor/project-files.js";
import { eventNote } from "./live/event-note.js";
import { LiveTail } from "./live/live-tail.js";
import { sendText, type WhenBusy } from "./send-text.js";
import type { BlockContext, BlockDrawers } from "./transcript/block-context.js";
import { Folds } from "./transcript/folds.js";
import { MarkdownLines } from "./transcript/markdown-lines.js";
import { type PassingNote, PassingNotes } from "./transcript/passing-notes.js";
import { Transcript } from "./transcript/transcript.js";

export interface ChatParts {
  readonly host: PanelHost;
  /** Pass its events to `handleEvent`. */
  readonly agent: AgentSession;
  readonly cwd: string;
  /** An extension's renderer for its messages. */
  readonly renderer: (customType: string) => MessageRenderer | undefined;
  /** Name of the branch with this entry: "#4 lexer". */
  readonly branchName?: (id: EntryId) => string | undefined;
  /** Completions for a line that starts with a slash; `from` is where a value starts. */
  readonly completeCommand: (
    line: string,
  ) => Promise<{ readonly from: number; readonly items: readonly Completion[] } | undefined>;
  /** Whether a line with a slash is a command rather than a prompt that starts with one. */
  readonly isCommand: (line: string) => boolean;
  /** Runs a command and shows its outcome. */
  readonly runCommand: (line: string) => Promise<void>;
  /** Whether a panel shows the progress of a summary. */
  readonly progressElsewhere?: () => boolean;
  /** The clock of running work, which pauses while the user is being asked. Default: the host's clock. */
  readonly workNow?: () => number;
  /** Esc was pressed twice on an empty text. */
  readonly doubleEscape: () => void;
  /** For keys that belong to the program. */
  readonly app?: ChatApp;
  /** Runs an extension's shortcut; true if there was one. */
  readonly shortcut?: (key: KeyPress) => boolean;
  /** For `VISUAL` and `EDITOR`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The setting; wins over `VISUAL` and `EDITOR`. */
  readonly externalEditor?: string;
  /** How extensions draw their tools and entries. */
  readonly drawers?: BlockDrawers;
  /** Lines of an extension that replace the introduction, if any. */
  readonly header?: (width: number) => readonly string[] | undefined;
  /** The label shown in place of hidden thinking. */
  readonly thinkingLabel?: () => string | undefined;
  /** `name`: images are never drawn. Default: drawn if the terminal supports it. */
  readonly images?: "draw" | "name";
}

const RETURNED = {
  stopped: "Stopped. Queued messages are back in the editor.",
  failed: "The run failed. Queued messages are back in the editor.",
  moved: "Queued messages are back in the editor.",
} as const;

/** How often running clocks are redrawn. */
const TICK_MS = 1000;

export class Chat implements ChatTarget, ShellChat {
  /** The queue, the text, and the completion list. */
  readonly editor: ChatEditor;
  readonly #parts: ChatParts;
  readonly #live = new LiveTail();
  readonly #folds = new Folds();
  readonly #notes = new PassingNotes();
  readonly #failedRenderers = new Set<string>();
  #look: { readonly number: number; readonly label?: string | undefined } & Pick<
    PanelHost,
    "theme" | "glyphs" | "keys"
  >;
  #markdown: MarkdownLines;
  #transcript: Transcript;
  /** Prompts being sent. */
  #sending = 0;
  #ticker: NodeJS.Timeout | undefined;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    const { host, agent, cwd } = parts;
    const { theme, glyphs, keys } = host;
    this.#look = { number: 0, theme, glyphs, keys };
    this.#markdown = new MarkdownLines(theme, glyphs);
    this.#transcript = this.#openTranscript();
    this.editor = new ChatEditor({
      ...parts,
      live: this.#live,
      files: new ProjectFiles({ root: cwd, now: host.now }),
      send: (text, whenBusy) => void this.#send(text, whenBusy),
      isBusy: () => agent.operation !== undefined || this.#sending > 0,
      run: (action) => this.run(action),
    });
  }

  get agent(): AgentSession {
    return this.#parts.agent;
  }

  get app(): ChatApp | undefined {
    return this.#parts.app;
  }

  doubleEscape(): void {
    this.#parts.doubleEscape();
  }

  /** A key that neither the editor nor the global keys used. */
  handleKey(key: KeyPress): void {
    const action = this.#parts.host.keys.actionFor("chat", key);
    if (action !== undefined) this.run(action);
  }

  /** Runs the action of a conversation key. */
  run(actionId: string): void {
    chatKey(actionId)?.run(this);
  }

  /** Why a key of the conversation is disabled. */
  disabledReason(actionId: string): string | undefined {
    return offText(chatKey(actionId)?.disabled?.(this));
  }

  /** Exactly as many lines as the size has. A line with a picture contains the sequence that draws it. */
  drawTranscript(size: Size): Frame {
    this.#refreshLook();
    return this.#transcript.draw(size);
  }

  handleEvent(event: AgentEvent): void {
    this.#live.handle(event, this.#workNow());
    this.#keepTime();
    this.refresh();
    if (event.type === "message_end" && event.message.role !== "toolResult") this.#transcript.arrived();
    if (event.type === "queue_returned") {
      this.editor.takeBack(event);
      this.#parts.host.status(RETURNED[event.reason]);
    }
    const said = eventNote(event);
    if (said !== undefined) this.#addNote(said);
  }

  /** Refreshes from the session after a move, a session switch, or new entries of other processes. */
  refresh(): void {
    if (this.#parts.agent.session.getSource().tree !== this.#transcript.tree) {
      // Another session, or a replaced file: entry numbers changed.
      const { intro } = this.#transcript;
      this.#notes.clear();
      this.#transcript = this.#openTranscript();
      this.#transcript.setIntro(intro);
    }
    this.#transcript.refresh();
    this.#parts.host.redraw();
  }

  /** Scrolls to an entry of the path and marks it; false if it is not on the path. */
  showEntry(id: EntryId): boolean {
    this.refresh();
    return this.#transcript.showEntry(id);
  }

  /** Negative: towards the start. */
  scrollLines(lines: number): void {
    this.#transcript.scrollLines(lines);
    this.#parts.host.redraw();
  }

  scrollPages(pages: number): void {
    this.#transcript.scrollPages(pages);
    this.#parts.host.redraw();
  }

  scrollTo(where: "top" | "end" | "previous-prompt" | "next-prompt"): void {
    if (where === "top") this.#transcript.scrollToTop();
    else if (where === "end") this.#transcript.scrollToEnd();
    else this.#transcript.scrollToPrompt(where === "previous-prompt" ? "previous" : "next");
    this.#parts.host.redraw();
  }

  /** Whether the window stays at the end as the conversation grows. */
  get following(): boolean {
    return this.#transcript.following;
  }

  /** Opens or folds: all of a kind, or the lowest block in the window that can. */
  toggle(what: "thinking" | "tools" | "notes" | "block"): void {
    const { host } = this.#parts;
    if (what !== "block") {
      const names = { thinking: "Thinking", tools: "Tool output", notes: "Summaries" } as const;
      host.status(`${names[what]}: ${this.#folds.toggleAll(what)}.`);
    } else if (!this.#transcript.toggleLowest()) host.status("Nothing here to expand or collapse.");
    host.redraw();
  }

  /** Whether all tool output is open. */
  get toolsExpanded(): boolean {
    return this.#folds.areOpen("tools");
  }

  setToolsExpanded(expanded: boolean): void {
    if (this.toolsExpanded !== expanded) this.#folds.toggleAll("tools");
    this.#parts.host.redraw();
  }

  /** Opens or folds the block on a row of the transcript, as a click does; false if there is none. */
  toggleAt(row: number): boolean {
    this.#parts.host.redraw();
    return this.#transcript.toggleAt(row);
  }

  /** Shows a text in the transcript that is not saved. */
  note(text: string, level: StatusLevel = "info"): void {
    this.#addNote({ text, level });
  }

  /** The lines above the first entry. */
  setIntro(lines: readonly Line[]): void {
    this.#transcript.setIntro(lines);
    this.#parts.host.redraw();
  }

  /** The first line of the introduction, if the conversation is too long for it to be seen. */
  get hiddenIntro(): string | undefined {
    const [first] = this.#transcript.hidesIntro ? this.#transcript.intro : [];
    return first === undefined ? undefined : lineText(first).trim();
  }

  /** The unsent text in the editor. */
  get text(): string {
    return this.editor.text;
  }

  /** The previous text goes to the input history first. */
  setText(text: string): void {
    this.editor.setText(text);
  }

  /** Clears the text; false if it was empty. */
  clearText(): boolean {
    const had = this.editor.text !== "";
    if (had) this.editor.setText("");
    return had;
  }

  /** As if typed and sent: a command, a shell command, a prompt, or a message to the running agent. */
  async submit(text: string): Promise<void> {
    if (text.trim() === "") return;
    this.editor.remember(text.trim());
    await this.#send(text.trim(), "steer");
  }

  /** Resolves when the text is back, changed or not. */
  async openExternalEditor(): Promise<void> {
    const { host, externalEditor, environment = {} } = this.#parts;
    const command = externalEditorCommand({ environment, ...defined({ command: externalEditor }) });
    try {
      this.editor.setText(await host.lend(() => writeInEditor(this.editor.text, command)));
    } catch (error) {
      host.status(`${errorText(error)}. Your text is unchanged.`, "error");
    }
  }

  /** How much was drawn. For tests and benchmarks. */
  get cost(): Transcript["cost"] {
    return this.#transcript.cost;
  }

  dispose(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #addNote(note: PassingNote): void {
    this.#notes.add(this.#parts.agent.session.getSource().leaf, note);
    this.#parts.host.redraw();
  }

  async #send(text: string, whenBusy: WhenBusy): Promise<void> {
    this.#transcript.scrollToEnd();
    this.#sending += 1;
    const outcome = await sendText(text, whenBusy, { ...this.#parts, pasted: this.editor.images }).finally(() => {
      this.#sending -= 1;
    });
    // Text typed in the meantime stays; Up brings back the other one.
    if (outcome === "kept" && this.editor.text === "") this.editor.setText(text);
    this.refresh();
  }

  #workNow(): number {
    return (this.#parts.workNow ?? this.#parts.host.now)();
  }

  /** Clocks keep ticking even if no event arrives. */
  #keepTime(): void {
    if (!this.#live.hasClock) this.dispose();
    else this.#ticker ??= setInterval(() => this.#parts.host.redraw(), TICK_MS).unref();
  }

  /** Settings may have changed how everything looks. */
  #refreshLook(): void {
    const { theme, glyphs, keys } = this.#parts.host;
    const label = this.#parts.thinkingLabel?.();
    const look = this.#look;
    if (theme === look.theme && glyphs === look.glyphs && keys === look.keys && label === look.label) return;
    this.#look = { number: look.number + 1, label, theme, glyphs, keys };
    this.#markdown = new MarkdownLines(theme, glyphs);
  }

  #openTranscript(): Transcript {
    return new Transcript({
      source: this.#parts.agent.session.getSource(),
      live: this.#live,
      folds: this.#folds,
      notes: this.#notes,
      context: (width) => this.#context(width),
      branchName: this.#parts.branchName,
      header: this.#parts.header,
    });
  }

  #context(width: number): BlockContext {
    const { host, images = "draw", renderer, drawers, progressElsewhere } = this.#parts;
    const { number, theme, glyphs, label } = this.#look;
    return {
      theme,
      glyphs,
      width,
      // Both only ever grow.
      look: number + (drawers?.version ?? 0),
      now: this.#workNow(),
      progressElsewhere: progressElsewhere?.() === true,
      markdown: this.#markdown,
      images,
      thinkingLabel: label,
      hint: (actionId) => host.keys.hint(actionId),
      isOpen: (id, kind) => this.#folds.isOpen(id, kind),
      running: (callId) => this.#live.tool(callId),
      renderer,
      drawers,
      rendererFailed: (customType, error) => {
        if (this.#failedRenderers.has(customType)) return;
        this.#failedRenderers.add(customType);
        host.status(`The renderer for ${customType} failed: ${errorText(error)}`, "warning");
      },
    };
  }
}
