/** Questions before a session is opened in a second process or archived. */
import { readPresence } from "@bough/session/log/index.js";
import { counted, firstWords, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import type { SessionRow } from "@bough/session/view/internal.js";
import { wrapWords } from "@bough/session/view/internal.js";
import type { ScreenApp } from "../app/screen.js";
import { askChoice } from "../questions/ask-choice.js";

/** Whether to open a session; asks only if another process has it open. */
export async function askToJoin({ host, context }: ScreenApp, path: string): Promise<boolean> {
  const others = readPresence(path, { now: context.now }).present.filter(({ self }) => !self);
  if (others.length === 0) return true;
  const names = others.slice(0, 2).map(({ program, pid, host }) => `${program} (process ${pid} on ${host})`);
  const more = others.length > 2 ? ` and ${counted(others.length - 2, "other")}` : "";
  const sentence = `This session is open in ${names.join(", ")}${more}.`;
  return askChoice(host, {
    name: "presence",
    lines: ({ width }) => wrapWords(withoutControls(sentence), width - 2).map((line) => [span(` ${line}`)]),
    choices: [
      { keys: ["enter"], answer: true, label: "continue here", detail: "each writes its own branch" },
      { keys: ["esc"], answer: false, label: "stay" },
    ],
    cancel: false,
  });
}

/** Says what will happen, and asks for Enter or Esc. */
export function askToArchive({ host }: ScreenApp, row: SessionRow): Promise<boolean> {
  const back = host.keys.hint("resume.undo");
  const undo = back === "" ? "You can restore it from there." : `${back} restores it.`;
  const sentence = `"${firstWords(row.title, 60)}" will be archived. Nothing is deleted. ${undo}`;
  return askChoice(host, {
    name: "archive",
    lines: ({ width }) => wrapWords(sentence, width - 2).map((line) => [span(` ${line}`)]),
    choices: [
      { keys: ["enter"], answer: true, label: "archive it" },
      { keys: ["esc"], answer: false, label: "keep it here" },
    ],
    cancel: false,
  });
}
