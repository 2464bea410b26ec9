/** A tool's question before it writes, runs, or reads outside the working directory. */

import type { AskPermission, PermissionQuestion } from "@bough/agent/tool/index.js";
import { counted, withoutControls } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { permissionLines, permissionTitle } from "@bough/session/view/internal.js";
import type { Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { answerHeight, askChoice, type Choice } from "./ask-choice.js";
import { askText } from "./ask-text.js";
import { type TypingOptions, typingGuard } from "./typing-guard.js";

interface PermissionOptions extends TypingOptions {
  /** Stops the turn that asks. If omitted, Esc means no, and the model continues. */
  readonly onStop?: () => void;
}

/** For `FrontEnd.ask`. Always settles: a question closed from outside means no. */
export function askPermission(host: PanelHost, options: PermissionOptions = {}): AskPermission {
  return async (question) => {
    const answer = await askOnce(host, question, options);
    if (answer === "stop") {
      options.onStop?.();
      return "no";
    }
    if (answer !== "instead") return answer;
    const title = "What should it do instead?";
    const reason = (await askText(host, { name: "reason", title, verb: "tell the agent" }))?.trim() ?? "";
    return reason === "" ? "no" : { answer: "no", reason };
  };
}

type Answer = "once" | "session" | "project" | "everywhere" | "no" | "instead" | "stop";

function askOnce(host: PanelHost, question: PermissionQuestion, options: PermissionOptions): Promise<Answer> {
  const reading = new Reading(host, question);
  const answers = choicesFor(question, options);
  const guard = typingGuard(host, options);
  return askChoice<Answer>(host, {
    name: "permission",
    lines: (size) => reading.lines(size),
    choices: (size) => (reading.isRead(size, answers) ? answers : [reading.choice, ...refusals(answers, size)]),
    // Also where a low window does not list it.
    cancel: options.onStop === undefined ? "no" : "stop",
    closed: "no",
    ...guard,
    before: (key) => (guard.before(key) === "ignore" || !reading.counts(key) ? "ignore" : "go-on"),
    onKey: (key) => {
      const action = host.keys.actionFor("question", key);
      if (action !== "question.more" && action !== "question.less") return false;
      reading.turn(action === "question.more" ? 1 : -1);
      host.redraw();
      return true;
    },
  });
}

/** What can be answered before everything was shown; in a low window, only no. */
function refusals(answers: readonly Choice<Answer>[], { height }: Size): readonly Choice<Answer>[] {
  return answers.filter(
    ({ answer }) => answer === "no" || (height > 10 && (answer === "instead" || answer === "stop")),
  );
}

/** The broad answer has no letter: starting to type a word must not grant it. */
function choicesFor(
  { grant, project, everywhere, movedTo }: PermissionQuestion,
  { onStop }: PermissionOptions,
): readonly Choice<Answer>[] {
  // What was moved away stays away unless someone chooses otherwise.
  const isMoved = movedTo !== undefined;
  return [
    { keys: isMoved ? ["y"] : ["enter", "y"], answer: "once", label: isMoved ? "yes, put it back" : "yes, once" },
    ...(grant === undefined
      ? []
      : [
          {
            keys: [],
            action: "question.always",
            answer: "session",
            broad: true,
            label: `yes, for this session: ${grant}`,
          } as const,
        ]),
    ...(project === undefined
      ? []
      : [
          {
            keys: [],
            action: "question.project",
            answer: "project",
            broad: true,
            label: `yes, always in this project: ${project}`,
          } as const,
        ]),
    ...(everywhere === undefined
      ? []
      : [
          {
            keys: [],
            action: "question.everywhere",
            answer: "everywhere",
            broad: true,
            label: `yes, always in every project: ${everywhere}`,
          } as const,
        ]),
    { keys: isMoved ? ["enter", "n"] : ["n"], answer: "no", label: isMoved ? "no, keep it away" : "no" },
    { keys: ["w"], answer: "instead", label: "no, tell it what to do instead" },
    ...(onStop === undefined
      ? []
      : [{ keys: [], action: "question.cancel", answer: "stop", label: "stop the turn" } as const]),
  ];
}

/** After a pause this long, a key counts as an answer to what was read. */
const PAUSE_MS = 400;

/**
 * The subject of the question, in pages if it is too long for the window. The end of a command may be what matters, so
 * only no is accepted until every line was shown.
 */
class Reading {
  readonly #host: PanelHost;
  readonly #question: PermissionQuestion;
  #top = 0;
  /** From the last drawing: the lines that fit, and the total. */
  #page = 1;
  #count = 0;
  /** The width for which all lines have been shown. */
  #readAt: number | undefined;
  #width = 0;
  /** When the page was last turned: holding Enter down to get to the end is not an answer. */
  #turnedAt = Number.NEGATIVE_INFINITY;

  constructor(host: PanelHost, question: PermissionQuestion) {
    this.#host = host;
    this.#question = question;
  }

  /** Replaces every yes until the last page was shown. */
  readonly choice: Choice<Answer> = { keys: ["enter"], answer: "no", label: "read on", act: () => this.turn(1) };

  /** Whether it fits next to its answers, or was read to the end. */
  isRead(size: Size, answers: readonly Choice<Answer>[]): boolean {
    if (this.#readAt === size.width) return true;
    const room = size.height - answerHeight(this.#host, answers, size) - 1;
    return this.#content(size.width).length <= room;
  }

  turn(pages: 1 | -1): void {
    // A window this small can show none of it.
    if (this.#page < 1) return;
    const last = Math.max(0, this.#count - this.#page);
    this.#turnedAt = this.#host.now();
    if (pages > 0 && this.#top >= last) this.#readAt = this.#width;
    this.#top = Math.max(0, Math.min(last, this.#top + pages * this.#page));
  }

  /** Whether a key counts as an answer now. */
  counts(key: KeyPress): boolean {
    if (this.#readAt !== this.#width || this.#host.keys.actionFor("question", key) === "question.cancel") return true;
    const hasRested = this.#host.now() - this.#turnedAt >= PAUSE_MS;
    if (hasRested) this.#turnedAt = Number.NEGATIVE_INFINITY;
    else if (key.name === "enter") this.#turnedAt = this.#host.now();
    return hasRested || key.name !== "enter";
  }

  /** In a low window, drop the title and the hint: the subject of the question matters most. */
  lines(size: Size): readonly Line[] {
    const content = this.#content(size.width);
    const free = size.height - 1;
    const head: Line = [span(` ${permissionTitle(this.#question)}`, "strong"), ...toolName(this.#question)];
    this.#width = size.width;
    this.#count = content.length;
    const isWhole = content.length <= free;
    const hasHead = size.height > 2 || isWhole;
    const hasHint = size.height > 3 && !isWhole;
    this.#page = isWhole ? content.length : size.height - (hasHead ? 1 : 0) - (hasHint ? 1 : 0);
    this.#top = Math.max(0, Math.min(this.#top, content.length - this.#page));
    const last = this.#top + this.#page;
    const { keys } = this.#host;
    const hint: Line = [
      span(`   ${this.#top + 1}-${last} of ${counted(content.length, "line")}   `, "muted"),
      span(`${keys.hint("question.more")} ${keys.hint("question.less")}`, "accent"),
      span(" scroll", "muted"),
    ];
    return [...(hasHead ? [head] : []), ...content.slice(this.#top, last), ...(hasHint ? [hint] : [])];
  }

  #content(width: number): readonly Line[] {
    return permissionLines(this.#question, width - 4).map((line): Line => [span("   "), ...line]);
  }
}

function toolName({ tool, action }: PermissionQuestion): Line {
  return action === "use" ? [] : [span(`  ${withoutControls(tool)}`, "muted")];
}
