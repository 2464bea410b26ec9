/** What extensions may ask a person in the terminal. */
import type { ExtensionUi } from "../../extension/index.js";
import { visibleText } from "../../text/index.js";
import type { Desk } from "../desk/desk.js";
import { askConfirm } from "./ask-confirm.js";
import { askLongText } from "./ask-long-text.js";
import { askSelect } from "./ask-select.js";
import { askText } from "./ask-text.js";
import { showComponent } from "./show-component.js";
import type { TypingOptions } from "./typing-guard.js";

/** Questions of several extensions come one after the other; one that is taken away is answered as if nobody were there. */
export function terminalUi(desk: Desk, typing: TypingOptions = {}): ExtensionUi {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(ask);
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    select: (title, options) =>
      inTurn(() =>
        askSelect(desk, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          items: options.map((value) => ({ value, label: visibleText(value).text })),
        }),
      ),
    confirm: (title, message) =>
      inTurn(() => askConfirm(desk, { title, typing, ...(message === undefined ? {} : { message }) })),
    input: (title, placeholder) =>
      inTurn(() =>
        askText(desk, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          ...(placeholder === undefined ? {} : { placeholder }),
        }),
      ),
    editor: (title, text) =>
      inTurn(() =>
        askLongText(desk, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          ...(text === undefined ? {} : { text }),
        }),
      ),
    notify: (message, level = "info") => desk.status(message, level),
    custom: (component, done) => showComponent(desk, { component, done, inTurn }),
  };
}
