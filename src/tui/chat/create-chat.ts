/** Puts the conversation and the editor together. */
import { type AgentEvent, type ModelFailure, OUTPUT_LIMIT_NOTICE } from "../../agent/index.js";
import { extensionProblemSentence } from "../../command/index.js";
import { errorText } from "../../text/index.js";
import type { StatusLevel } from "../desk/desk.js";
import type { Chat, ChatParts } from "./chat.js";
import { ChatEditor } from "./chat-editor.js";
import { externalEditorCommand, writeInEditor } from "./editor/external-editor.js";
import { ProjectFiles } from "./editor/project-files.js";
import { LiveTail } from "./live/live-tail.js";
import { sendText, type WhenBusy } from "./send-text.js";
import type { BlockContext } from "./transcript/block-context.js";
import { Folds } from "./transcript/folds.js";
import { MarkdownLines } from "./transcript/markdown-lines.js";
import { type PassingNote, PassingNotes } from "./transcript/passing-notes.js";
import { Transcript } from "./transcript/transcript.js";

const RETURNED = {
  stopped: "Stopped. What was waiting is back in the editor.",
  failed: "The run failed. What was waiting is back in the editor.",
  moved: "What was waiting is back in the editor.",
} as const;

/** How often clocks are drawn again while something runs. */
const TICK_MS = 1000;

export function createChat(parts: ChatParts): Chat {
  const { desk, agent, cwd } = parts;
  const workNow = parts.workNow ?? desk.now;
  const live = new LiveTail();
  const folds = new Folds();
  const notes = new PassingNotes();
  let look = { number: 0, theme: desk.theme, glyphs: desk.glyphs, keys: desk.keys };
  let markdown = new MarkdownLines(look.theme, look.glyphs);
  const failedRenderers = new Set<string>();
  let sending = 0;
  let ticker: NodeJS.Timeout | undefined;

  const note = (text: string, level: StatusLevel = "info"): void => {
    notes.add(agent.session.getSource().leaf, { text, level });
    desk.redraw();
  };
  /** Settings may have changed what everything looks like. */
  const lookAnew = (): void => {
    const { theme, glyphs, keys } = desk;
    if (theme === look.theme && glyphs === look.glyphs && keys === look.keys) return;
    look = { number: look.number + 1, theme, glyphs, keys };
    markdown = new MarkdownLines(theme, glyphs);
  };
  const context = (width: number): BlockContext => ({
    theme: look.theme,
    glyphs: look.glyphs,
    width,
    look: look.number,
    now: workNow(),
    progressElsewhere: parts.progressElsewhere?.() === true,
    markdown,
    images: parts.images ?? "draw",
    hint: (actionId) => desk.keys.hint(actionId),
    isOpen: (id, kind) => folds.isOpen(id, kind),
    running: (callId) => live.tool(callId),
    renderer: parts.renderer,
    rendererFailed: (customType, error) => {
      if (failedRenderers.has(customType)) return;
      failedRenderers.add(customType);
      const message = errorText(error);
      desk.status(`The renderer for ${customType} failed: ${message}`, "warning");
    },
  });
  const openTranscript = (): Transcript =>
    new Transcript({ source: agent.session.getSource(), live, folds, notes, context, branchName: parts.branchName });
  let tree = agent.session.getSource().tree;
  let transcript = openTranscript();

  const refresh = (): void => {
    const now = agent.session.getSource().tree;
    if (now !== tree) {
      // Another session, or a file that was replaced: its entries have other numbers.
      const { intro } = transcript;
      tree = now;
      notes.clear();
      transcript = openTranscript();
      transcript.setIntro(intro);
    }
    transcript.refresh();
    desk.redraw();
  };
  const send = async (text: string, whenBusy: WhenBusy): Promise<void> => {
    transcript.scrollToEnd();
    sending += 1;
    const outcome = await sendText(text, whenBusy, parts).finally(() => {
      sending -= 1;
    });
    // Whatever was written meanwhile stays; the other text can be had with Up.
    if (outcome === "kept" && editor.text === "") editor.setText(text);
    refresh();
  };
  const openExternalEditor = async (): Promise<void> => {
    const { externalEditor, environment = {} } = parts;
    const command = externalEditorCommand({
      environment,
      ...(externalEditor === undefined ? {} : { command: externalEditor }),
    });
    try {
      editor.setText(await desk.lend(() => writeInEditor(editor.text, command)));
    } catch (error) {
      desk.status(`${errorText(error)}. Your text is as it was.`, "error");
    }
  };
  const scrollTo: Chat["scrollTo"] = (where) => {
    if (where === "top") transcript.scrollToTop();
    else if (where === "end") transcript.scrollToEnd();
    else transcript.scrollToPrompt(where === "previous-prompt" ? "previous" : "next");
    desk.redraw();
  };
  const scroll = (by: "lines" | "pages", count: number): void => {
    if (by === "lines") transcript.scrollLines(count);
    else transcript.scrollPages(count);
    desk.redraw();
  };
  const toggle: Chat["toggle"] = (what) => {
    if (what !== "block") {
      const names = { thinking: "Thinking", tools: "Tool output", notes: "Summaries" } as const;
      desk.status(`${names[what]}: ${folds.toggleAll(what)}.`);
    } else if (!transcript.toggleLowest()) desk.status("Nothing here can be opened or folded.");
    desk.redraw();
  };
  const actions: Readonly<Record<string, () => void>> = {
    "chat.scrollUp": () => scroll("pages", -1),
    "chat.scrollDown": () => scroll("pages", 1),
    "chat.scrollLineUp": () => scroll("lines", -1),
    "chat.scrollLineDown": () => scroll("lines", 1),
    "chat.top": () => scrollTo("top"),
    "chat.bottom": () => scrollTo("end"),
    "chat.previousPrompt": () => scrollTo("previous-prompt"),
    "chat.nextPrompt": () => scrollTo("next-prompt"),
    "chat.foldThinking": () => toggle("thinking"),
    "chat.foldTools": () => toggle("tools"),
    "chat.foldNotes": () => toggle("notes"),
    "chat.foldBlock": () => toggle("block"),
    "chat.externalEditor": () => void openExternalEditor(),
  };
  const editor: ChatEditor = new ChatEditor({
    ...parts,
    live,
    files: new ProjectFiles({ root: cwd, now: desk.now }),
    send: (text, whenBusy) => void send(text, whenBusy),
    isBusy: () => agent.operation !== undefined || sending > 0,
    handleAction: (action) => {
      actions[action]?.();
      return actions[action] !== undefined;
    },
  });
  /** Clocks go on where no event comes. */
  const keepTime = (): void => {
    if (live.hasClock && ticker === undefined) ticker = setInterval(() => desk.redraw(), TICK_MS).unref();
    else if (!live.hasClock) stopTime();
  };
  const stopTime = (): void => {
    clearInterval(ticker);
    ticker = undefined;
  };
  const handleEvent = (event: AgentEvent): void => {
    live.handle(event, workNow());
    keepTime();
    refresh();
    if (event.type === "message_end" && event.message.role !== "toolResult") transcript.arrived();
    if (event.type === "queue_returned") {
      editor.takeBack(event);
      desk.status(RETURNED[event.reason]);
    }
    const said = eventNote(event);
    if (said !== undefined) note(said.text, said.level);
  };

  return {
    drawTranscript: (size) => {
      lookAnew();
      return transcript.draw(size);
    },
    editor,
    handleEvent,
    refresh,
    showEntry: (id) => {
      refresh();
      return transcript.showEntry(id);
    },
    scrollLines: (count) => scroll("lines", count),
    scrollPages: (count) => scroll("pages", count),
    scrollTo,
    get following() {
      return transcript.following;
    },
    toggle,
    toggleAt: (row) => {
      desk.redraw();
      return transcript.toggleAt(row);
    },
    note,
    setIntro: (lines) => {
      transcript.setIntro(lines);
      desk.redraw();
    },
    get text() {
      return editor.text;
    },
    setText: (text) => editor.setText(text),
    clearText: () => {
      const had = editor.text !== "";
      if (had) editor.setText("");
      return had;
    },
    submit: async (text) => {
      if (text.trim() === "") return;
      editor.remember(text.trim());
      await send(text.trim(), "steer");
    },
    openExternalEditor,
    get cost() {
      return transcript.cost;
    },
    dispose: stopTime,
  };
}

/** Which events are told in the transcript although they are in no file. */
function eventNote(event: AgentEvent): PassingNote | undefined {
  switch (event.type) {
    case "notice":
      // The answer itself says that it was cut off; what helps is worth a line.
      if (event.message === OUTPUT_LIMIT_NOTICE) {
        return event.hint === undefined ? undefined : { text: event.hint, level: "info" };
      }
      return { text: withHint(event.message, event.hint), level: event.level };
    case "extension_problem":
      return { text: extensionProblemSentence(event), level: "warning" };
    case "run_end":
      return event.outcome.kind === "failed" ? failureNote(event.outcome.failure) : undefined;
    default:
      return undefined;
  }
}

/**
 * The failure of a model is part of the conversation; what helps against it is not. If the run could not even begin, the
 * status line says both.
 */
function failureNote({ kind, hint }: ModelFailure): PassingNote | undefined {
  return hint === undefined || kind === "unknown" ? undefined : { text: hint, level: "info" };
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message}\n${hint}`;
}
