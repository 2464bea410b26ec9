/** The question of a tool before it writes, runs, or reads elsewhere. */
import { dirname, isAbsolute, relative, resolve } from "node:path";
import type { PermissionAnswer, PermissionRequest } from "../../tool/index.js";
import { counted, type Line, span, withoutControls, wrapWords } from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import type { Size } from "../desk/panel.js";
import type { KeyPress } from "../keys/key-press.js";
import { askChoice } from "./ask-choice.js";
import { askText } from "./ask-text.js";
import { permissionPreview } from "./permission-preview.js";

export interface PermissionAskOptions {
  readonly cwd: string;
  /** The input of the call that asks, where it is known. */
  readonly inputOf?: (request: PermissionRequest) => unknown;
  /** Gets what a person says along with a no. */
  readonly onReason?: (text: string) => void;
  /** When the last key was pressed, by the desk's clock: who is writing must not answer by accident. */
  readonly lastKeyAt?: () => number;
  /** Gets the keys of who is still writing: nothing of a sentence is lost because a question came up in it. */
  readonly onStray?: (key: KeyPress) => void;
}

/** A pause after which a key is meant for the question. */
const PAUSE_MS = 400;

/** For `FrontEnd.ask`. Always comes back: a question that is taken away is a no. */
export function askPermission(
  desk: Desk,
  options: PermissionAskOptions,
): (request: PermissionRequest) => Promise<PermissionAnswer> {
  return async (request) => {
    const answer = await askOnce(desk, request, options);
    if (answer !== "no-because") return answer;
    const reason = await askText(desk, { name: "reason", title: "No, because", verb: "say it to the agent" });
    if (reason !== undefined && reason.trim() !== "") options.onReason?.(reason.trim());
    return "no";
  };
}

type Answer = PermissionAnswer | "no-because";

function askOnce(desk: Desk, request: PermissionRequest, options: PermissionAskOptions): Promise<Answer> {
  const preview = permissionPreview(options.inputOf?.(request));
  const scroll = { top: 0, most: 0 };
  let lastKey = options.lastKeyAt?.() ?? Number.NEGATIVE_INFINITY;
  // Keys that follow each other in one breath may belong to a text; where none is half written, a rest is enough.
  let listening = desk.editorText() === "" && desk.now() - lastKey >= PAUSE_MS;
  return askChoice<Answer>(desk, {
    name: "permission",
    lines: (size) => questionLines({ desk, request, preview, scroll, size }),
    choices: [
      { keys: ["enter", "y"], answer: "once", label: "yes, this once" },
      {
        keys: ["a"],
        answer: "session",
        label: "yes, and do not ask again",
        detail: sessionScope(request, options.cwd),
      },
      { keys: ["n"], answer: "no", label: "no" },
      { keys: ["w"], answer: "no-because", label: "no, and say why" },
    ],
    cancel: "no",
    before: (key) => {
      const now = desk.now();
      if (!listening && now - lastKey >= PAUSE_MS) listening = true;
      lastKey = now;
      if (listening) return "go-on";
      if (key.text !== undefined || key.name === "backspace") options.onStray?.(key);
      return "ignore";
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

const VERBS = {
  read: "wants to read",
  write: "wants to write",
  run: "wants to run",
  use: "wants to be used with",
} as const;

interface Asked {
  readonly desk: Desk;
  readonly request: PermissionRequest;
  readonly preview: readonly Line[];
  /** Drawing says how far it goes. */
  readonly scroll: { top: number; most: number };
  readonly size: Size;
}

/** All of it can be read, however long it is: the end of a command may be what matters. */
function questionLines({ desk, request, preview, scroll, size }: Asked): readonly Line[] {
  const { tool, action, target } = request;
  const head: Line = [span(` ${withoutControls(tool)}`, "strong"), span(` ${VERBS[action]}`)];
  const wanted = wrapWords(withoutControls(target), size.width - 4).map((line): Line => [span(line, "accent")]);
  const content = [...wanted, ...preview].map((line): Line => [span("   "), ...line]);
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

/** What "for the session" will cover, as the permissions understand it. */
function sessionScope({ tool, action, target }: PermissionRequest, cwd: string): string {
  const name = withoutControls(tool);
  if (action === "run") return `every command of ${name} in this session`;
  if (action === "use") return `every call of ${name} in this session`;
  const path = resolve(cwd, target);
  const away = relative(cwd, path);
  const outside = isAbsolute(away) || away === ".." || away.startsWith("../") || away.startsWith("..\\");
  const verb = action === "read" ? "read" : "change";
  if (!outside) return `${name} may ${verb} every file in the working directory`;
  return `${name} may ${verb} everything in ${withoutControls(dirname(path))}`;
}
