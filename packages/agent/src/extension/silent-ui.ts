import { customForms, type ExtensionUi } from "./extension-ui.js";
import type { UiTheme } from "./ui-component.js";

/**
 * A `ui` without a user: questions return their default, components are closed at once without a result, drawing is
 * ignored, and notices go to `report`.
 */
export function silentUi(report: (message: string, level: "info" | "warning" | "error") => void): ExtensionUi {
  const ignored = (): void => {};
  return {
    select: async () => undefined,
    confirm: async () => false,
    input: async () => undefined,
    editor: async () => undefined,
    notify: (message, type = "info") => report(message, type),
    setStatus: ignored,
    setWidget: ignored,
    setFooter: ignored,
    setHeader: ignored,
    setTitle: ignored,
    setWorkingMessage: ignored,
    setWorkingVisible: ignored,
    setWorkingIndicator: ignored,
    setHiddenThinkingLabel: ignored,
    custom: customForms(async () => undefined),
    pasteToEditor: ignored,
    setEditorText: ignored,
    getEditorText: () => "",
    setEditorComponent: ignored,
    getEditorComponent: () => undefined,
    addAutocompleteProvider: ignored,
    onTerminalInput: () => ignored,
    theme: PLAIN_THEME,
    getAllThemes: () => [],
    getTheme: () => undefined,
    setTheme: () => ({ success: false, error: "The theme cannot be changed without a screen." }),
    getToolsExpanded: () => false,
    setToolsExpanded: ignored,
  };
}

const asIs = (text: string): string => text;

/** A theme without colors. */
export const PLAIN_THEME: UiTheme = {
  name: "plain",
  fg: (_color, text) => text,
  bg: (_color, text) => text,
  bold: asIs,
  dim: asIs,
  italic: asIs,
  underline: asIs,
  inverse: asIs,
  strikethrough: asIs,
  getFgAnsi: () => "",
  getBgAnsi: () => "",
  getColorMode: () => "256color",
  getThinkingBorderColor: () => asIs,
  getBashModeBorderColor: () => asIs,
};
