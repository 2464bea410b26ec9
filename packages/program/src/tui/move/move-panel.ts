/** The strip for a move that leaves a branch: the question, the progress, and what to do after a failure. */

import { layoutMove, type MovePhase, moveAnswers } from "@bough/session/view/internal.js";
import type { MoveQuestion } from "../../command/index.js";
import { layoutOptions, listFrame } from "../host/list-frame.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { bindKeys, type ScreenKey, type ScreenKeys } from "../keys/key-table.js";

type MoveKey = "enter" | "none" | "summary" | "about" | "never" | "again" | "stay";

interface MovePanelOptions {
  readonly name: string;
  /** Omitted if the phase needs no further words. */
  readonly question?: MoveQuestion;
  readonly phase: () => MovePhase;
  /** The answers available now. */
  readonly answers: Readonly<Partial<Record<MoveKey, () => void>>>;
  /** Why the other answers are disabled. */
  readonly off: string;
  readonly dispose?: () => void;
}

const NOTHING_LEFT: MoveQuestion = {
  branch: { number: 1, name: "" },
  entries: 0,
  tokens: 0,
  files: 0,
  preferred: "none",
  target: "",
};

export function movePanel(host: PanelHost, options: MovePanelOptions): Panel {
  const { name, question = NOTHING_LEFT, phase, dispose } = options;
  const { run, disabledReason } = bindKeys(MOVE_KEYS, options);
  /** The index of the answer that Enter picks. */
  let marked = 0;
  const answers = () => moveAnswers(question, phase(), (id) => host.keys.hint(id));
  /** Answers by number, or with the arrows and Enter, as in other questions. Undefined for any other key. */
  const numbered = (key: KeyPress): string | "marked" | undefined => {
    const ids = answers();
    const bound = host.keys.actionFor("question", key);
    if (ids.length > 0 && (bound === "question.down" || bound === "question.up")) {
      marked = Math.max(0, Math.min(ids.length - 1, marked + (bound === "question.down" ? 1 : -1)));
      host.redraw();
      return "marked";
    }
    if (key.name === "enter") return ids[marked];
    return /^[1-9]$/.test(key.name) ? ids[Number(key.name) - 1] : undefined;
  };
  return {
    name,
    share: "fit",
    keyScope: "leaving",
    disabledReason,
    draw: (size) => {
      const now = phase();
      const shown = now.kind === "progress" ? now : { ...now, marked };
      return listFrame(host, size, { drawn: layoutMove(question, shown, layoutOptions(host, size)) });
    },
    handleKey: (key) => {
      const answered = numbered(key);
      if (answered === "marked") return true;
      const action = answered ?? host.keys.actionFor("leaving", key);
      if (action !== undefined && run(action) === undefined) return true;
      // A letter that is not an answer was still meant for the question, so swallow it.
      return key.text !== undefined || action !== undefined;
    },
    dispose,
  };
}

/** The keys of the question about a summary when leaving a branch. */
export const MOVE_KEYS: ScreenKeys<MovePanelOptions> = {
  title: "Leaving a branch",
  actions: [
    answer("enter", ["enter"], "take the marked answer; arrows mark another, and numbers answer too"),
    answer("none", ["n"], "go without a summary"),
    answer("summary", ["s"], "bring a summary of the branch you leave"),
    answer("about", ["w"], "bring a summary, and say what it should keep"),
    answer("never", ["a"], "go without a summary, and never ask again"),
    answer("again", ["r"], "retry a failed summary"),
    answer("stay", ["esc", "q", "ctrl+c"], "stay here"),
  ],
};

function answer(key: MoveKey, keys: readonly string[], help: string): ScreenKey<MovePanelOptions> {
  return {
    id: `leaving.${key}`,
    keys,
    help,
    run: ({ answers }) => answers[key]?.(),
    disabled: ({ answers, off }) => (answers[key] === undefined ? off : undefined),
  };
}
