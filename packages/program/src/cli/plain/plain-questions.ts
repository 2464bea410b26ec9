/** Questions in plain lines: numbered choices, yes or no, a line of text. No answer always means the safe choice. */

import type { ExtensionUi } from "@bough/agent/extension/index.js";
import { customForms, dialogLimit } from "@bough/agent/extension/internal.js";
import { silentUi } from "@bough/agent/extension/run.js";
import type { UiDialogOptions } from "@bough/agent/extension/ui.js";
import type { PermissionAnswer, PermissionQuestion } from "@bough/agent/tool/index.js";
import { counted, shortCount, visibleText, withoutControls } from "@bough/session/text/index.js";
import { lineText } from "@bough/session/view/index.js";
import { permissionLines, permissionTitle } from "@bough/session/view/internal.js";
import type { ConfirmRequest, MoveAnswer, MoveQuestion } from "../../command/index.js";

/** Asks and returns the line; undefined if there is none, or once the signal aborts. */
type AskLine = (question: string, signal?: AbortSignal) => Promise<string | undefined>;

export interface PlainVoice {
  readonly ask: AskLine;
  readonly say: (text: string) => void;
}

export function plainUi({ ask, say }: PlainVoice): ExtensionUi {
  const askUntil = async (question: string, dialog: UiDialogOptions | undefined): Promise<string | undefined> => {
    const limit = dialogLimit(dialog);
    const signals = [dialog?.signal, limit === undefined ? undefined : AbortSignal.timeout(limit)];
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
    const answer = await ask(question, signal);
    if (signal.aborted && answer === undefined) say("Closed without an answer.");
    return answer;
  };
  return {
    ...silentUi(() => {}),
    async select(title, options, dialog) {
      if (dialog?.signal?.aborted === true) return undefined;
      say(visibleText(title).text);
      for (const [at, option] of options.entries()) say(`${String(at + 1).padStart(3)}  ${visibleText(option).text}`);
      const answer = (await askUntil("Number, or Enter for none: ", dialog))?.trim();
      return answer === undefined || !/^\d+$/.test(answer) ? undefined : options[Number(answer) - 1];
    },
    async confirm(title, message, dialog) {
      if (dialog?.signal?.aborted === true) return false;
      say(visibleText(message === undefined ? title : `${title}\n${message}`).text);
      return isYes(await askUntil("y for yes, anything else for no: ", dialog));
    },
    async input(title, placeholder, dialog) {
      if (dialog?.signal?.aborted === true) return undefined;
      const example = placeholder === undefined ? "" : ` (for example ${withoutControls(placeholder)})`;
      const answer = await askUntil(`${withoutControls(title)}${example}: `, dialog);
      return answer === undefined || answer === "" ? undefined : answer;
    },
    async editor(title, text) {
      say(withoutControls(title));
      if (text !== undefined && text !== "") say(`Now: ${withoutControls(text)}`);
      say("Type the new text, then a line with a single dot. A single dot on the first line keeps the current text.");
      const lines: string[] = [];
      for (let line = await ask(""); line !== undefined && line !== "."; line = await ask("")) lines.push(line);
      return lines.length === 0 ? text : lines.join("\n");
    },
    notify: (message, level) =>
      say(`${level === undefined || level === "info" ? "" : `${level}: `}${withoutControls(message)}`),
    custom: customForms(async () => {
      say("An extension component cannot be shown in plain mode.");
      return undefined;
    }),
  };
}

/** No wrapping: the reader's own program wraps plain lines. */
const UNBROKEN = 100_000;

/** A broad grant needs a whole word. Anything but yes or no tells the agent what to do instead. */
export async function askPermission({ ask, say }: PlainVoice, question: PermissionQuestion): Promise<PermissionAnswer> {
  const { grant, project, everywhere } = question;
  say(`${permissionTitle(question)} (${visibleText(question.tool, { newlines: "escape" }).text})`);
  for (const line of permissionLines(question, UNBROKEN)) say(`  ${lineText(line)}`);
  const always = grant === undefined ? "" : `"always" allows for this session: ${grant}; `;
  const kept = project === undefined ? "" : `"project" always allows in this project: ${project}; `;
  const wide = everywhere === undefined ? "" : `"everywhere" always allows in every project: ${everywhere}; `;
  const answer = (await ask(`y yes, once; ${always}${kept}${wide}n no; or tell it what to do instead: `))?.trim() ?? "";
  if (isYes(answer)) return "once";
  if (grant !== undefined && answer.toLowerCase() === "always") return "session";
  if (project !== undefined && answer.toLowerCase() === "project") return "project";
  if (everywhere !== undefined && answer.toLowerCase() === "everywhere") return "everywhere";
  return answer.length < 2 || answer.toLowerCase() === "no" ? "no" : { answer: "no", reason: answer };
}

export async function askBeforeMove({ ask, say }: PlainVoice, question: MoveQuestion): Promise<MoveAnswer> {
  const { branch, entries, tokens, preferred, target } = question;
  if (preferred === "summary") say(`Go back to just before "${withoutControls(target)}"?`);
  say(
    `Leaving branch ${branch.number}, ${withoutControls(branch.name)}: ${counted(entries, "entry", "entries")}, about ${shortCount(tokens)} tokens. It stays in the tree.`,
  );
  const plain = preferred === "none" ? "Enter no" : "Enter yes";
  const answer = (await ask(`Bring a summary? ${plain}, y yes, n no, w yes with instructions, a never ask, q stay: `))
    ?.trim()
    .toLowerCase();
  if (answer === undefined || answer === "q") return { kind: "stay" };
  if (answer === "a") return { kind: "never" };
  if (answer === "w") {
    const instructions = (await ask("Keep: "))?.trim();
    if (instructions === undefined) return { kind: "stay" };
    return instructions === "" ? { kind: "summary" } : { kind: "summary", instructions };
  }
  if (isYes(answer)) return { kind: "summary" };
  return answer === "" && preferred === "summary" ? { kind: "summary" } : { kind: "none" };
}

export async function askFailed(
  { ask, say }: PlainVoice,
  message: string,
  instead?: "turns",
): Promise<"without" | "again" | "stay"> {
  say(`No summary: ${withoutControls(message)}`);
  const answer = (
    await ask(`g = ${instead === "turns" ? "bring its turns" : "go without"}, r = retry, anything else = stay: `)
  )
    ?.trim()
    .toLowerCase();
  if (answer === "g") return "without";
  return answer === "r" ? "again" : "stay";
}

export async function askConfirm(
  { ask, say }: PlainVoice,
  { title, lines, yes, no }: ConfirmRequest,
): Promise<boolean> {
  for (const line of [title, ...lines]) say(visibleText(line).text);
  return isYes(await ask(`y to ${yes}, anything else to ${no}: `));
}

function isYes(answer: string | undefined): boolean {
  return /^(y|yes)$/i.test(answer?.trim() ?? "");
}
