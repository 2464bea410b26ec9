/** The UI for extensions: choices and text input go through the client; anything drawn is ignored. */
import type { ExtensionUi, FrontEndUi } from "@bough/agent/extension/index.js";
import { dialogLimit } from "@bough/agent/extension/internal.js";
import { silentUi } from "@bough/agent/extension/run.js";
import type { UiDialogOptions } from "@bough/agent/extension/ui.js";
import type { ClientLink } from "../client/client-link.js";
import { askChoice } from "./ask-choice.js";

export function clientUi(link: ClientLink, notify: ExtensionUi["notify"]): FrontEndUi {
  return {
    ...silentUi(() => {}),
    notify,
    select: async (title, options, dialog) => {
      const choices = options.map((option) => ({ answer: option, label: option, kind: "allow_once" as const }));
      return askChoice(link, { title, choices, ...until(dialog) });
    },
    confirm: async (title, message, dialog) => {
      const answer = await askChoice(link, {
        title,
        lines: message === undefined ? [] : [message],
        choices: [
          { answer: true, label: "Yes", kind: "allow_once" },
          { answer: false, label: "No", kind: "reject_once" },
        ],
        ...until(dialog),
      });
      return answer ?? false;
    },
    input: (title, placeholder, dialog) => link.askText(title, { placeholder, ...until(dialog) }),
    editor: (title) => link.askText(title),
  };
}

function until(dialog: UiDialogOptions | undefined): { readonly signal?: AbortSignal } {
  const limit = dialogLimit(dialog);
  const signals = [dialog?.signal, limit === undefined ? undefined : AbortSignal.timeout(limit)].filter(
    (signal) => signal !== undefined,
  );
  return signals.length === 0 ? {} : { signal: AbortSignal.any(signals) };
}
