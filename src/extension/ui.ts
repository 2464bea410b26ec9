/** What extensions show and draw. The door of `bough/extension/ui`. */
export type { CustomEntry, UserContent } from "../entry/index.js";
export type { CustomMessageInput } from "./custom-message.js";
export type {
  ExtensionUi,
  FrontEndUi,
  UiAutocompleteProvider,
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
} from "./extension-ui.js";
export type {
  UiComponent,
  UiInputHandler,
  UiKeybindings,
  UiOverlayHandle,
  UiOverlayOptions,
  UiScreen,
  UiSize,
  UiTheme,
} from "./ui-component.js";
export type { Drawn, EntryRenderer, MessageRenderer, ToolRenderContext, ToolRenderers } from "./ui-renderers.js";
