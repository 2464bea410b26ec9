/** The question of a tool before it writes, runs, or reads elsewhere. */
import { counted, withoutControls } from "../../text/index.js";
import type { PermissionAnswer, PermissionQuestion } from "../../tool/index.js";
import { type Line, span } from "../../view/index.js";
import { permissionLines, permissionTitle } from "../../view/internal.js";
import type { Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { askChoice, type Choice } from "./ask-choice.js";
import { askText } from "./ask-text.js";
import { type TypingOptions, typingGuard } from "./typing-guard.js";

interface PermissionOptions extends TypingOptions {
  /** Stops the turn that asks. Without it Esc is a no, and the model continues. */
  readonly onStop?: () => void;
}

/** For `FrontEnd.ask`. Always comes back: a question that is taken away is a no. */
export function askPermission(
  host: PanelHost,
  options: PermissionOptions = {},
): (question: PermissionQuestion) => Promise<PermissionAnswer> {
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

type Answer = "once" | "session" | "project" | "no" | "instead" | "stop";

function askOnce(host: PanelHost, question: PermissionQuestion, options: PermissionOptions): Promise<Answer> {
  const scroll = { top: 0, most: 0 };
  return askChoice<Answer>(host, {
    name: "permission",
    lines: (size) => questionLines({ host, question, scroll, size }),
    choices: choicesFor(question, options),
    cancel: "no",
    ...typingGuard(host, options),
    onKey: (key) => {
      const action = host.keys.actionFor("question", key);
      const step = action === "question.more" ? 5 : action === "question.less" ? -5 : 0;
      if (step === 0) return false;
      scroll.top = Math.max(0, Math.min(scroll.most, scroll.top + step));
      host.redraw();
      return true;
    },
  });
}

/** The broad one has no letter of its own: a word that someone begins to type must not grant it. */
function choicesFor({ grant, project }: PermissionQuestion, { onStop }: PermissionOptions): readonly Choice<Answer>[] {
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
    ...(project === undefined
      ? []
      : [
          {
            keys: [],
            action: "question.project",
            answer: "project",
            label: `yes, always in this project: ${project}`,
          } as const,
        ]),
    { keys: ["n"], answer: "no", label: "no" },
    { keys: ["w"], answer: "instead", label: "no, tell it what to do instead" },
    ...(onStop === undefined
      ? []
      : [{ keys: [], action: "question.cancel", answer: "stop", label: "stop the turn" } as const]),
  ];
}

interface Asked {
  readonly host: PanelHost;
  readonly question: PermissionQuestion;
  /** Drawing says how far it goes. */
  readonly scroll: { top: number; most: number };
  readonly size: Size;
}

/** All of it can be read, however long it is: the end of a command may be what matters. */
function questionLines({ host, question, scroll, size }: Asked): readonly Line[] {
  const head: Line = [span(` ${permissionTitle(question)}`, "strong"), ...toolName(question)];
  const content = permissionLines(question, size.width - 4).map((line): Line => [span("   "), ...line]);
  const free = size.height - 1;
  if (content.length <= free) return [head, ...content];
  const shown = Math.max(1, free - 1);
  scroll.most = content.length - shown;
  scroll.top = Math.min(scroll.top, scroll.most);
  const last = scroll.top + shown;
  const { keys } = host;
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
