/** The editor below the conversation: keys, history, completion, sending and stopping. */
import type { AgentSession, QueuedTexts } from "@bough/agent/agent/index.js";
import type { UiAutocompleteProvider } from "@bough/agent/extension/ui.js";
import { firstWords } from "@bough/session/text/index.js";
import { cutToWidth, displayWidth } from "@bough/session/view/internal.js";
import type { Completion } from "../../command/index.js";
import { ComponentEditor, type GivenEditor } from "../extension/component-editor.js";
import { type CompletionLayer, StackedCompletion } from "../extension/stacked-completion.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { readClipboardImage } from "../terminal/clipboard-image.js";
import { type ChatKey, chatKey } from "./chat-keys.js";
import { ChatCompletion, type ChatCompletionOptions } from "./editor/chat-completion.js";
import { InputHistory } from "./editor/input-history.js";
import { PastedImages } from "./editor/pasted-images.js";
import { MOST_IMAGE_BYTES, pastedImage } from "./editor/prompt-images.js";
import { TextEditor, type TextInput } from "./editor/text-editor.js";
import type { LiveTail } from "./live/live-tail.js";
import type { WhenBusy } from "./send-text.js";

interface ChatEditorOptions extends ChatCompletionOptions {
  readonly host: PanelHost;
  readonly agent: AgentSession;
  readonly live: LiveTail;
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly send: (text: string, whenBusy: WhenBusy) => void;
  /** Whether something can be stopped. */
  readonly isBusy: () => boolean;
  /** Runs the action of a conversation key. */
  readonly run: (actionId: string) => void;
  /** Runs an extension's shortcut; true if there was one. */
  readonly shortcut?: (key: KeyPress) => boolean;
}

/** Two presses of Esc within this many milliseconds are one gesture. */
const DOUBLE_ESCAPE_MS = 500;
const IMAGE_PATH = /\.(?:png|jpe?g|gif|webp)['"]?\s*$/i;

/** Longest first. */
const IDLE = [
  "Describe a task, or type / for commands, @ for files, ! for the shell",
  "Describe a task, / for commands",
  "Task or /",
];
const BUSY = ["Write to the agent; it reads this after the current step", "Write to the agent", "Write"];
const READ_ONLY = ["Read-only: / for commands", "Read-only"];

export class ChatEditor implements Panel {
  readonly name = "chat";
  readonly share = "fit";
  readonly keyScope = "chat";
  /** Pasted images, for texts that refer to them. */
  readonly images = new PastedImages();
  readonly #options: ChatEditorOptions;
  readonly #history = new InputHistory();
  readonly #completion: StackedCompletion;
  readonly #ours: TextEditor;
  /** An extension's editor. */
  #given: ComponentEditor | undefined;
  #escapeAt: number | undefined;
  /** The user selected an item of the list, so Enter picks it. */
  #chosen = false;
  /** A prompt was put back, and no key was pressed since. */
  #isReturned = false;

  constructor(options: ChatEditorOptions) {
    this.#options = options;
    this.#completion = new StackedCompletion(
      options.host,
      new ChatCompletion({ ...options, resources: () => resourcesOf(options.agent) }),
    );
    this.#ours = new TextEditor({
      host: options.host,
      completion: this.#completion,
      history: () => this.#history.list(options.agent.session.getSource()),
      onSubmit: (text) => this.#submitted(text),
    });
  }

  get #text(): TextInput {
    return this.#given ?? this.#ours;
  }

  /** Replaces our editor by an extension's, or restores ours; the text stays. */
  useEditor(given: GivenEditor | undefined): void {
    const { host } = this.#options;
    const { text } = this;
    this.#given?.dispose();
    const onSubmit = (sent: string) => this.#submitted(sent);
    const onEscape = () => this.escape();
    const completion = this.#completion as UiAutocompleteProvider;
    this.#given =
      given === undefined ? undefined : new ComponentEditor({ host, completion, onSubmit, onEscape, ...given });
    this.#text.setText(text);
  }

  /** Adds an extension's suggestions to ours. */
  addCompletion(layer: CompletionLayer): void {
    this.#completion.add(layer);
  }

  removeCompletions(): void {
    this.#completion.clear();
  }

  get text(): string {
    return this.#text.text;
  }

  /** Up brings the previous text back. */
  setText(text: string): void {
    if (this.text !== text) this.#history.add(this.text);
    this.#text.setText(text);
    this.#isReturned = text !== "" && !text.startsWith("/");
  }

  /** Puts texts that were not delivered back in front of the current text. */
  takeBack({ steering, followUp }: QueuedTexts): void {
    this.#text.setText([...steering, ...followUp, this.text].filter((text) => text.trim() !== "").join("\n\n"));
  }

  remember(text: string): void {
    this.#history.add(text);
  }

  draw({ width, height }: Size): Frame {
    const { host, live } = this.#options;
    const { isStopping } = this.#options.agent;
    const waiting = queuedLines(live.queue, { width, host, isStopping }).slice(0, Math.max(0, height - 3));
    const title = this.#text.isEmpty ? "" : modeOf(this.text);
    const { lines, cursor } = this.#text.draw(
      { width, height: height - waiting.length },
      { title, mark: host.glyphs.typing, placeholder: this.#placeholder(width) },
    );
    return {
      lines: [...waiting, ...lines],
      cursor: cursor && { row: cursor.row + waiting.length, column: cursor.column },
    };
  }

  /** What can be written here, as much as fits. */
  #placeholder(width: number): string {
    const { agent } = this.#options;
    const forms = agent.session.getReadOnlyReason() !== undefined ? READ_ONLY : agent.isStreaming ? BUSY : IDLE;
    return forms.find((form) => displayWidth(form) + 4 <= width) ?? "";
  }

  handleKey(key: KeyPress): boolean {
    if (this.#options.shortcut?.(key) === true) return true;
    if (key.text === "/" && this.#isReturned) this.#setAside();
    this.#isReturned = false;
    const { keys } = this.#options.host;
    const row = chatKey(keys.actionFor("chat", key));
    if (row?.id !== "chat.stop") this.#escapeAt = undefined;
    if (row !== undefined) return this.#act(row, key);
    if (keys.actionFor("everywhere", key) !== undefined) return false;
    const wasEmpty = this.#text.isEmpty;
    const isTaken = this.#write(key);
    // Starts with a slash, so it looks like a command so far.
    if (wasEmpty && !this.#text.isEmpty && !this.text.startsWith("/")) this.#options.agent.lookAhead();
    return isTaken;
  }

  handlePaste(text: string): void {
    if (this.#text.isEmpty) this.#options.agent.lookAhead();
    this.#chosen = false;
    this.#isReturned = false;
    // Terminals send an empty paste for an image.
    if (text === "") void this.pasteImage({ silent: true });
    if (!IMAGE_PATH.test(text) || text.length > 4096) {
      this.#text.paste(text);
      return;
    }
    void pastedImage(text, this.#options.cwd).then((named) => {
      if (named === undefined) this.#text.paste(text);
      else this.#text.insert(named);
    });
  }

  /** A slash right after a prompt was put back is the start of a command, such as /redo, and not more of the prompt. */
  #setAside(): void {
    const { host } = this.#options;
    this.setText("");
    host.status(`The prompt is in the history: ${host.keys.hint("editor.up")} brings it back.`);
  }

  #act({ id, whileWriting, isOfApp }: ChatKey, key: KeyPress): boolean {
    if (whileWriting !== undefined && !this.#text.isEmpty) {
      return this.#write(whileWriting === "itself" ? key : whileWriting);
    }
    if (isOfApp === true) return false;
    if (id === "chat.stop" && this.#given !== undefined) {
      this.#given.handleKey(key);
      if (this.#given.handlesEscape) return true;
    }
    this.#options.run(id);
    return true;
  }

  /** Inserts a placeholder for the image on the clipboard. `silent`: no message if there is none. */
  async pasteImage({ silent = false } = {}): Promise<void> {
    const { host, agent, environment = process.env } = this.#options;
    const found = await readClipboardImage({ env: environment, maxBytes: MOST_IMAGE_BYTES });
    if (found.kind !== "image") {
      if (!silent) host.status(found.message, found.kind === "none" ? "info" : "warning");
      return;
    }
    this.#text.insert(`${this.images.add(found.image)} `);
    const info = agent.model?.info;
    if (info?.images === false) host.status(`${info.name} does not support images.`, "warning");
    host.redraw();
  }

  newLine(): void {
    this.#text.newLine();
  }

  followUp(): void {
    if (this.#options.agent.isStreaming) this.#sendLater();
    else this.newLine();
  }

  #write(key: KeyPress): boolean {
    const action = this.#options.host.keys.actionFor("editor", key);
    this.#chosen = this.#text.completing && (action === "editor.up" || action === "editor.down");
    return this.#text.handleKey(key);
  }

  enter(): void {
    const editor = this.#text;
    const takesChoice = editor.completing && (this.#chosen || this.#completion.kind !== "argument");
    this.#chosen = false;
    if (!takesChoice) {
      editor.submit();
      return;
    }
    const before = editor.text;
    editor.acceptCompletion();
    // Already complete: Enter was meant to send.
    if (before.trim() !== "" && editor.text.trimEnd() === before.trimEnd()) editor.submit();
  }

  #submitted(text: string): void {
    if (text.trim() !== "") this.#send(text, "steer");
  }

  #sendLater(): void {
    const text = this.text.trim();
    if (text === "") return;
    this.#text.setText("");
    this.#send(text, "follow-up");
  }

  #send(text: string, whenBusy: WhenBusy): void {
    this.#history.add(text);
    this.#given?.remember(text);
    this.#options.send(text, whenBusy);
  }

  /** Closes the list; otherwise stops the run; otherwise, twice on an empty text, runs the app's action. */
  escape(): void {
    const { agent, host, isBusy } = this.#options;
    if (this.#text.completing) {
      this.#text.closeList();
      return;
    }
    if (isBusy()) {
      agent.abort();
      return;
    }
    if (!this.#text.isEmpty) return;
    const last = this.#escapeAt;
    const now = host.now();
    this.#escapeAt = now;
    if (host.keys.hint("chat.doubleEscape") !== "" && last !== undefined && now - last <= DOUBLE_ESCAPE_MS) {
      this.#escapeAt = undefined;
      this.#options.run("chat.doubleEscape");
    }
  }
}

function modeOf(text: string): string {
  if (text.startsWith("!!")) return "shell, not shown to the model";
  return text.startsWith("!") ? "shell" : "";
}

/** Queued messages, shown above the editor. */
interface QueuedLinesOptions {
  readonly width: number;
  readonly host: Pick<PanelHost, "theme" | "glyphs" | "keys">;
  /** The agent is stopping: queued messages are sent afterwards. */
  readonly isStopping: boolean;
}

const MOST = 4;

function queuedLines(queue: QueuedTexts, { width, host, isStopping }: QueuedLinesOptions): string[] {
  const { theme, glyphs, keys } = host;
  const waiting = [
    ...queue.steering.map((text) => `next ${glyphs.arrow} ${firstWords(text)}`),
    ...queue.followUp.map((text) => `then ${glyphs.arrow} ${firstWords(text)}`),
  ];
  if (waiting.length === 0) return [];
  const shown = waiting.slice(0, MOST);
  if (waiting.length > MOST) shown.push(`+ ${waiting.length - MOST} more`);
  const stop = keys.hint("chat.stop");
  if (isStopping)
    shown.push(`Stopping… your message is sent next${stop === "" ? "" : ` (${stop}: back to the editor)`}`);
  else if (stop !== "") shown.push(returningHint(stop, { count: waiting.length, width }));
  return shown.map((line) => theme.paint("muted", cutToWidth(` ${line}`, width, glyphs.ellipsis)));
}

/** What Esc does with messages that wait, as much as fits. */
function returningHint(stop: string, { count, width }: { readonly count: number; readonly width: number }): string {
  const long = `${stop} stops the agent and returns ${count === 1 ? "it" : "them"} to the editor`;
  return displayWidth(long) < width ? long : `${stop}: back to the editor`;
}

function resourcesOf(agent: Pick<AgentSession, "servers">): readonly Completion[] {
  return (agent.servers?.list() ?? []).flatMap(({ name, state, resources }) =>
    state.kind === "disabled"
      ? []
      : resources.map(({ uri, name: title }) => ({ value: `${name}:${uri}`, description: title })),
  );
}
