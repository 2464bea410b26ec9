/** What extensions may ask users and show in the terminal. */
import type { ExtensionUi, FrontEndUi } from "@bough/agent/extension/index.js";
import { customForms } from "@bough/agent/extension/internal.js";
import type { UiDialogOptions, UiEditor } from "@bough/agent/extension/ui.js";
import { errorText, visibleText } from "@bough/session/text/index.js";
import type { PanelHost } from "../host/panel-host.js";
import { askConfirm } from "../questions/ask-confirm.js";
import { askLongText } from "../questions/ask-long-text.js";
import { askSelect } from "../questions/ask-select.js";
import { askText } from "../questions/ask-text.js";
import type { TypingOptions } from "../questions/typing-guard.js";
import { THEMES } from "../theme/styles.js";
import type { Theme } from "../theme/theme.js";
import { closingHost } from "./closing-host.js";
import { editorTheme } from "./component-editor.js";
import { type ExtensionGround, ExtensionScreen, fixedLines } from "./extension-screen.js";
import { screenHandle, uiKeybindings } from "./screen-handle.js";
import { type InTurn, showCustom } from "./show-custom.js";
import { isComponent, ownerName } from "./shown-component.js";
import { fileTheme, liveUiTheme, objectTheme, uiTheme } from "./ui-theme.js";

interface TerminalUiOptions extends TypingOptions {
  /** Default: a screen that shows only questions and components. */
  readonly screen?: ExtensionScreen;
}

/**
 * Questions of several extensions appear one at a time. One that is closed from outside is answered as if no user were
 * present.
 */
export function terminalUi(host: PanelHost, options: TerminalUiOptions = {}): FrontEndUi {
  const { screen = new ExtensionScreen(host, NO_GROUND), ...typing } = options;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: InTurn = (ask) => {
    const answer = last.then(ask);
    last = answer.catch(() => undefined);
    return answer;
  };
  const uiOf = (owner: string | undefined): ExtensionUi => ({
    ...questions(screen, { typing, inTurn }),
    ...display(screen, owner),
    ...around(screen, owner),
    ...colors(screen),
    custom: customForms((factory, uiOptions) => showCustom(screen, { factory, uiOptions, owner, inTurn })),
  });
  const named = new Map<string, ExtensionUi>();
  return Object.assign(uiOf(undefined), {
    forExtension: (name: string) => {
      const ui = named.get(name) ?? uiOf(name);
      named.set(name, ui);
      return ui;
    },
    reset: () => screen.reset(),
    reloaded: () => screen.onReload(),
  });
}

interface QuestionParts {
  readonly typing: TypingOptions;
  readonly inTurn: InTurn;
}

type Questions = Pick<ExtensionUi, "select" | "confirm" | "input" | "editor" | "notify">;

function questions(screen: ExtensionScreen, { typing, inTurn }: QuestionParts): Questions {
  const { host } = screen;
  const asked = <Answer>(
    dialog: UiDialogOptions | undefined,
    none: Answer,
    ask: (host: PanelHost) => Promise<Answer>,
  ) => {
    const closing = closingHost(host, { ...dialog, signal: screen.endsWith(dialog?.signal) });
    return inTurn(async () => (closing.isOver() ? none : ask(closing.host))).finally(closing.release);
  };
  return {
    select: (title, options, dialog) =>
      asked(dialog, undefined, (its) =>
        askSelect(its, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          items: options.map((value) => ({ value, label: visibleText(value).text })),
        }),
      ),
    confirm: (title, message, dialog) =>
      asked(dialog, false, (its) => askConfirm(its, { title, typing, enter: dialog?.enter, message })),
    input: (title, placeholder, dialog) =>
      asked(dialog, undefined, (its) =>
        askText(its, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          placeholder,
        }),
      ),
    editor: (title, prefill) =>
      asked(undefined, undefined, (its) =>
        askLongText(its, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          text: prefill,
        }),
      ),
    notify: (message, type = "info") => host.status(message, type),
  };
}

type Display = Pick<
  ExtensionUi,
  | "setStatus"
  | "setWidget"
  | "setFooter"
  | "setHeader"
  | "setTitle"
  | "setWorkingMessage"
  | "setWorkingVisible"
  | "setWorkingIndicator"
  | "setHiddenThinkingLabel"
>;

function display(screen: ExtensionScreen, owner: string | undefined): Display {
  const handle = screenHandle(screen, { owner });
  const theme = liveUiTheme(screen.host);
  return {
    setStatus: (key, text) => screen.setStatus(key, text),
    setWidget: (key, content, { placement = "aboveEditor" } = {}) => {
      if (content === undefined) return screen.setWidget(key, undefined);
      const make = () => (typeof content === "function" ? content(handle, theme) : fixedLines(content));
      const close = () => screen.setWidget(key, undefined);
      const shown = screen.shown(make, { owner, what: `widget ${key}` }, close);
      screen.setWidget(key, shown === undefined ? undefined : { placement, shown });
    },
    setFooter: (factory) => {
      const make = () => factory?.(handle, theme, screen.footerData);
      const close = () => screen.setFooter(undefined);
      screen.setFooter(factory === undefined ? undefined : screen.shown(make, { owner, what: "footer" }, close));
    },
    setHeader: (factory) => {
      const make = () => factory?.(handle, theme);
      const close = () => screen.setHeader(undefined);
      screen.setHeader(factory === undefined ? undefined : screen.shown(make, { owner, what: "header" }, close));
    },
    setTitle: (title) => screen.ground.setTitle(title),
    setWorkingMessage: (message) => screen.setWorking({ message }),
    setWorkingVisible: (visible) => screen.setWorking({ visible }),
    setWorkingIndicator: (indicator) => screen.setWorking({ indicator }),
    setHiddenThinkingLabel: (label) => screen.setThinkingLabel(label),
  };
}

type Around = Pick<
  ExtensionUi,
  | "pasteToEditor"
  | "setEditorText"
  | "getEditorText"
  | "setEditorComponent"
  | "getEditorComponent"
  | "addAutocompleteProvider"
  | "onTerminalInput"
  | "getToolsExpanded"
  | "setToolsExpanded"
>;

function around(screen: ExtensionScreen, owner: string | undefined): Around {
  const { host } = screen;
  return {
    pasteToEditor: (text) => screen.ground.paste(text),
    setEditorText: (text) => host.setEditorText(text),
    getEditorText: () => host.editorText(),
    setEditorComponent: (factory) => {
      if (factory === undefined) return screen.setEditor(undefined);
      try {
        const component = factory(screenHandle(screen, { owner }), editorTheme(host), uiKeybindings(screen));
        if (!isEditor(component)) throw new TypeError("it needs render, handleInput, getText and setText");
        screen.setEditor({ factory, component, owner });
      } catch (error) {
        host.status(`${ownerName(owner)}: editor failed: ${errorText(error)}`, "error");
      }
    },
    getEditorComponent: () => screen.editorFactory,
    addAutocompleteProvider: (factory) => screen.addCompletion({ owner, factory }),
    onTerminalInput: (handler) => screen.addInputHandler(handler, owner),
    getToolsExpanded: () => screen.conversation?.chat.toolsExpanded ?? false,
    setToolsExpanded: (expanded) => screen.conversation?.chat.setToolsExpanded(expanded),
  };
}

function isEditor(value: UiEditor): boolean {
  const parts = ["handleInput", "getText", "setText"] as const;
  return isComponent(value) && parts.every((part) => typeof value[part] === "function");
}

type Colors = Pick<ExtensionUi, "theme" | "getAllThemes" | "getTheme" | "setTheme">;

function colors(screen: ExtensionScreen): Colors {
  const files = () => screen.conversation?.agent.themes ?? [];
  const all = () => [
    ...Object.keys(THEMES).map((name) => ({ name, path: undefined })),
    ...files().map(({ name, path }) => ({ name, path })),
  ];
  const themeNamed = (name: string): Theme | undefined => {
    const file = files().find((one) => one.name === name);
    return file === undefined ? screen.ground.themeNamed(name) : fileTheme(file, screen);
  };
  return {
    theme: liveUiTheme(screen.host),
    getAllThemes: all,
    getTheme: (name) => {
      const theme = themeNamed(name);
      return theme === undefined ? undefined : uiTheme(theme);
    },
    setTheme: (theme) => {
      const name = typeof theme === "string" ? theme : theme.name;
      const wanted = typeof theme === "string" ? themeNamed(theme) : objectTheme(theme, screen);
      if (wanted === undefined) {
        const names = all().map((known) => known.name);
        return { success: false, error: `No theme is called ${name}. Themes: ${names.join(", ")}` };
      }
      screen.ground.setTheme(wanted);
      return { success: true };
    },
  };
}

const NO_GROUND: ExtensionGround = {
  size: () => ({ width: 80, height: 24 }),
  setTitle: () => {},
  setTheme: () => {},
  trueColors: false,
  themeNamed: () => undefined,
  paste: () => {},
};
