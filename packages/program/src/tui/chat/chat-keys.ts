/** The keys of the conversation while no panel is open: send, stop, and open panels, such as the tree with Esc Esc. */
import type { AgentSession, Settings } from "@bough/agent/agent/index.js";
import { reopenDisabled } from "../app/reopen.js";
import type { KeyPress } from "../keys/key-press.js";
import { key, type ScreenKey } from "../keys/key-table.js";

/** What the keys act on: the conversation, and the program around it. */
export interface ChatTarget {
  readonly agent: AgentSession;
  readonly editor: { enter(): void; newLine(): void; followUp(): void; escape(): void; pasteImage(): Promise<void> };
  /** What is in the editor. */
  readonly text: string;
  /** The app's key actions; undefined outside the app. */
  readonly app: ChatApp | undefined;
  scrollPages(pages: number): void;
  scrollLines(lines: number): void;
  scrollTo(where: "top" | "end" | "previous-prompt" | "next-prompt"): void;
  toggle(what: "thinking" | "tools" | "notes" | "block"): void;
  openExternalEditor(): Promise<void>;
  doubleEscape(): void;
}

export interface ChatApp {
  readonly showHelp: () => void;
  readonly quit: () => void;
  readonly chooseModel: () => void;
  readonly reopen: () => void;
  readonly searchHistory: () => void;
  readonly nextThinkingLevel: () => void;
  readonly nextPermissionMode: () => void;
  readonly settings: () => Pick<Settings, "doubleEscapeAction">;
}

/** A key of the conversation, and when it applies if the editor has text. */
export interface ChatKey extends ScreenKey<ChatTarget> {
  /** A program key: checked after editing and the global keys. */
  readonly isOfApp?: true;
  /** If the editor has text, the key edits instead. */
  readonly whileWriting?: "itself" | KeyPress;
}

function appKey(...[id, keys, help, does]: Parameters<typeof key<ChatTarget>>): ChatKey {
  return { ...key(id, keys, help, does), isOfApp: true };
}

const DELETE: KeyPress = { name: "delete", text: undefined, raw: "\x1b[3~" };

const ifEmpty = ({ text }: ChatTarget) => (text === "" ? undefined : "The editor is not empty.");

export const CHAT_KEYS: { readonly title: string; readonly actions: readonly ChatKey[] } = {
  title: "Conversation",
  actions: [
    key("chat.send", ["enter"], "send; while the agent works, delivered after the current step", {
      run: ({ editor }) => editor.enter(),
      disabled: ({ agent }) => agent.session.getReadOnlyReason()?.message,
    }),
    key("chat.newLine", ["shift+enter", "ctrl+j"], "insert a newline; so does a backslash before Enter", ({ editor }) =>
      editor.newLine(),
    ),
    key(
      "chat.followUp",
      ["alt+enter", "ctrl+q"],
      "send when the agent has finished; if it is idle, insert a newline",
      ({ editor }) => editor.followUp(),
    ),
    key("chat.stop", ["esc"], "stop the agent, or close the completion list", {
      run: ({ editor }) => editor.escape(),
      disabled: ({ agent }) => (agent.operation === undefined ? "Nothing is running." : undefined),
    }),
    key("chat.doubleEscape", ["esc esc"], "open the tree if the editor is empty (doubleEscapeAction)", {
      run: (chat) => chat.doubleEscape(),
      disabled: (chat) =>
        chat.app?.settings().doubleEscapeAction === "none" ? "The setting doubleEscapeAction is none." : ifEmpty(chat),
    }),
    {
      ...appKey("chat.help", ["?"], "show these keys, if the editor is empty", {
        run: ({ app }) => app?.showHelp(),
        disabled: ifEmpty,
      }),
      whileWriting: "itself",
    },
    key("chat.scrollUp", ["pageup"], "scroll up", (chat) => chat.scrollPages(-1)),
    key("chat.scrollDown", ["pagedown"], "scroll down", (chat) => chat.scrollPages(1)),
    key("chat.scrollLineUp", ["shift+up"], "scroll up one line", (chat) => chat.scrollLines(-1)),
    key("chat.scrollLineDown", ["shift+down"], "scroll down one line", (chat) => chat.scrollLines(1)),
    key("chat.top", ["ctrl+home", "alt+<"], "go to the start of the conversation", (chat) => chat.scrollTo("top")),
    key("chat.bottom", ["ctrl+end", "alt+>"], "go to the end and follow new output", (chat) => chat.scrollTo("end")),
    key("chat.previousPrompt", ["alt+p"], "jump to the previous prompt", (chat) => chat.scrollTo("previous-prompt")),
    key("chat.nextPrompt", ["alt+n"], "jump to the next prompt", (chat) => chat.scrollTo("next-prompt")),
    key("chat.foldThinking", ["ctrl+t"], "expand or collapse thinking", (chat) => chat.toggle("thinking")),
    key("chat.foldTools", ["ctrl+o"], "expand or collapse tool input and output", (chat) => chat.toggle("tools")),
    key("chat.foldNotes", ["alt+s"], "expand or collapse summaries", (chat) => chat.toggle("notes")),
    key("chat.foldBlock", ["alt+o"], "expand or collapse the last block on the screen", (chat) => chat.toggle("block")),
    appKey("chat.permissionMode", ["shift+tab"], "cycle permission mode: plan, ask, edits, auto", ({ app }) =>
      app?.nextPermissionMode(),
    ),
    appKey("chat.thinkingLevel", ["alt+t"], "cycle thinking level", {
      run: ({ app }) => app?.nextThinkingLevel(),
      disabled: ({ agent: { model } }) => {
        if (model === undefined) return "No model is selected.";
        return model.info.reasoning ? undefined : `${model.info.name} does not support thinking.`;
      },
    }),
    appKey("chat.model", ["ctrl+p"], "choose another model", ({ app }) => app?.chooseModel()),
    appKey("chat.history", ["ctrl+r"], "search the prompts you sent before, in all sessions", ({ app }) =>
      app?.searchHistory(),
    ),
    appKey("chat.reopen", ["alt+r"], "in a read-only session: start writing on your own branch", {
      run: ({ app }) => app?.reopen(),
      disabled: ({ agent }) => reopenDisabled(agent.session),
    }),
    key("chat.pasteImage", ["ctrl+v"], "attach the image on the clipboard", ({ editor }) => void editor.pasteImage()),
    key("chat.externalEditor", ["ctrl+g"], "edit the prompt in $VISUAL or $EDITOR", (chat) => {
      void chat.openExternalEditor();
    }),
    {
      ...appKey("chat.quit", ["ctrl+d"], "quit if the editor is empty; otherwise delete the next character", {
        run: ({ app }) => app?.quit(),
        disabled: ifEmpty,
      }),
      whileWriting: DELETE,
    },
  ],
};

/** The row of a key of the conversation. */
export function chatKey(actionId: string | undefined): ChatKey | undefined {
  return CHAT_KEYS.actions.find(({ id }) => id === actionId);
}
