/** The question of a tool before it writes, runs, or reads elsewhere. */
import type { PermissionAnswer, PermissionQuestion } from "../../tool/index.js";
import {
  counted,
  cutToWidth,
  displayWidth,
  hintLine,
  type Line,
  permissionLines,
  permissionTitle,
  span,
  withoutControls,
} from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import type { Size } from "../desk/panel.js";
import type { KeyPress } from "../keys/key-press.js";
import { askChoice, type Choice } from "./ask-choice.js";
import { askText } from "./ask-text.js";

export interface PermissionAskOptions {
  /** When the last key was pressed, by the desk's clock: who is writing must not answer by accident. */
  readonly lastKeyAt?: () => number;
  /** Gets the keys that belong to the editor: nothing of a sentence is lost because a question came up in it. */
  readonly onStray?: (key: KeyPress) => void;
  /** Gets what is pasted. */
  readonly onPaste?: (text: string) => void;
}

/** A pause after which a key is meant for the question. */
const PAUSE_MS = 400;

/** For `FrontEnd.ask`. Always comes back: a question that is taken away is a no. */
export function askPermission(
  desk: Desk,
  options: PermissionAskOptions = {},
): (question: PermissionQuestion) => Promise<PermissionAnswer> {
  return async (question) => {
    const answer = await askOnce(desk, question, options);
    if (answer !== "instead") return answer;
    const title = "What should it do instead?";
    const reason = (await askText(desk, { name: "reason", title, verb: "tell the agent" }))?.trim() ?? "";
    return reason === "" ? "no" : { answer: "no", reason };
  };
}

type Answer = "once" | "session" | "no" | "instead";

function askOnce(desk: Desk, question: PermissionQuestion, options: PermissionAskOptions): Promise<Answer> {
  const scroll = { top: 0, most: 0 };
  const guard = typingGuard(desk, options);
  return askChoice<Answer>(desk, {
    name: "permission",
    lines: (size) => questionLines({ desk, question, scroll, size }),
    choices: choicesFor(question),
    cancel: "no",
    below: (width) => (guard.isEditing() ? editorLines(desk, width) : { lines: [] }),
    before: (key) => guard.take(key),
    onPaste: (text) => {
      options.onPaste?.(text);
      desk.redraw();
    },
    onKey: (key) => {
      const action = desk.keys.actionFor("question", key);
      const step = action === "question.more" ? 5 : action === "question.less" ? -5 : 0;
      if (step === 0) return false;
      scroll.top = Math.max(0, Math.min(scroll.most, scroll.top + step));
      desk.redraw();
      return true;
    },
  });
}

/** The broad one has no letter of its own: a word that somebody begins to type must not grant it. */
function choicesFor({ grant }: PermissionQuestion): readonly Choice<Answer>[] {
  return [
    { keys: ["enter", "y"], answer: "once", label: "yes, once" },
    ...(grant === undefined
      ? []
      : [
          {
            keys: [],
            action: "question.always",
            answer: "session",
            label: `yes, for this session: ${grant}`,
          } as const,
        ]),
    { keys: ["n"], answer: "no", label: "no" },
    { keys: ["w"], answer: "instead", label: "no, tell it what to do instead" },
  ];
}

/**
 * Whose key it is. While the editor holds text, keys belong to it, however long the pause: a sentence never answers a
 * question. One key (Tab) turns to the question. With an empty editor a key counts after a short rest, so that a word
 * begun in the moment the question came up goes to the editor too.
 */
function typingGuard(desk: Desk, { lastKeyAt, onStray }: PermissionAskOptions) {
  let lastKey = lastKeyAt?.() ?? Number.NEGATIVE_INFINITY;
  let turned = false;
  let rested = desk.editorText() === "" && desk.now() - lastKey >= PAUSE_MS;
  const isEditing = (): boolean => !turned && desk.editorText() !== "";
  const forEditor = (key: KeyPress): boolean => {
    const action = desk.keys.actionFor("question", key);
    if (isEditing()) {
      rested = false;
      if (action === "question.focus") {
        turned = true;
        desk.redraw();
        return true;
      }
      if (action === "question.cancel" || action === "question.more" || action === "question.less") return false;
      onStray?.(key);
      desk.redraw();
      return true;
    }
    if (rested || turned || desk.now() - lastKey >= PAUSE_MS) {
      rested = true;
      return false;
    }
    if (key.text !== undefined || key.name === "backspace") onStray?.(key);
    return true;
  };
  return {
    isEditing,
    take: (key: KeyPress): "go-on" | "ignore" => {
      const taken = forEditor(key);
      lastKey = desk.now();
      return taken ? "ignore" : "go-on";
    },
  };
}

/** What is being written, and how to get to the question. */
function editorLines(desk: Desk, width: number): { readonly lines: readonly Line[]; readonly cursor: number } {
  const { keys } = desk;
  const text = withoutControls(desk.editorText()).replace(/\s/g, " ");
  const room = Math.max(1, width - 4);
  // The end is where the person writes.
  let shown = text;
  while (displayWidth(shown) > room) shown = shown.slice(Math.max(1, Math.floor((displayWidth(shown) - room) / 2)));
  const hint = hintLine([{ keys: keys.hint("question.focus"), text: "answer; other keys go to your message" }], width);
  const typed: Line = [span(" > "), span(cutToWidth(shown, room, ""))];
  return { lines: [hint, typed], cursor: 3 + displayWidth(shown) };
}

interface Asked {
  readonly desk: Desk;
  readonly question: PermissionQuestion;
  /** Drawing says how far it goes. */
  readonly scroll: { top: number; most: number };
  readonly size: Size;
}

/** All of it can be read, however long it is: the end of a command may be what matters. */
function questionLines({ desk, question, scroll, size }: Asked): readonly Line[] {
  const head: Line = [span(` ${permissionTitle(question)}`, "strong"), ...toolName(question)];
  const content = permissionLines(question, size.width - 4).map((line): Line => [span("   "), ...line]);
  const free = size.height - 1;
  if (content.length <= free) return [head, ...content];
  const shown = Math.max(1, free - 1);
  scroll.most = content.length - shown;
  scroll.top = Math.min(scroll.top, scroll.most);
  const last = scroll.top + shown;
  const { keys } = desk;
  const more = `${scroll.top + 1}-${last} of ${counted(content.length, "line")}`;
  const hint: Line = [
    span(`   ${more}   `, "muted"),
    span(`${keys.hint("question.more")} ${keys.hint("question.less")}`, "accent"),
    span(" scroll", "muted"),
  ];
  return [head, ...content.slice(scroll.top, last), hint];
}

function toolName({ tool, action }: PermissionQuestion): Line {
  return action === "use" ? [] : [span(`  ${withoutControls(tool)}`, "muted")];
}
