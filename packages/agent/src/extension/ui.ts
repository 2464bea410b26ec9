/** For extensions that show or draw something. The door of `bough/extension/ui`. */
export type { CustomEntry, UserContent } from "@bough/session/entry/index.js";
export type { CustomMessageInput } from "./custom-message.js";
export type {
  ExtensionUi,
  FrontEndUi,
  UiAutocompleteProvider,
  UiCompletedText,
  UiCompletion,
  UiCustomFactory,
  UiCustomOptions,
  UiDialogOptions,
  UiEditor,
  UiEditorFactory,
  UiEditorTheme,
  UiFactory,
  UiFooterData,
  UiFooterFactory,
  UiSuggestions,
  UiThemeInfo,
  UiThemeResult,
} from "./extension-ui.js";
export type {
  UiComponent,
  UiInputHandler,
  UiInputResult,
  UiKeybindings,
  UiOverlayHandle,
  UiOverlayOptions,
  UiScreen,
  UiSize,
  UiTheme,
} from "./ui-component.js";
export type {
  Drawn,
  EntryRenderer,
  MessageRenderer,
  ToolRenderContext,
  ToolRendererResolver,
  ToolRenderers,
} from "./ui-renderers.js";
