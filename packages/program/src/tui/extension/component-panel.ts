/** A component of an extension, drawn instead of the editor. */

import { useComponentBindings } from "../chat/editor/editor-bindings.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { ShownComponent } from "./shown-component.js";

type PanelKeys = Required<Pick<Panel, "handleKey" | "handlePaste">>;

/** Keys of a component. Ctrl+C always leaves it, even if it grabs the keyboard. */
export function componentKeys(host: PanelHost, shown: ShownComponent, close: () => void): PanelKeys {
  return {
    handleKey: (key) => {
      useComponentBindings(host.keys);
      const takesKeys = shown.takesKeys;
      if (takesKeys) shown.input(key.raw);
      if (key.name === "ctrl+c") close();
      else if (!takesKeys && host.keys.actionFor("question", key) === "question.cancel") close();
      return true;
    },
    handlePaste: (text) => {
      useComponentBindings(host.keys);
      shown.input(`\x1b[200~${text}\x1b[201~`);
    },
  };
}

export function componentPanel(host: PanelHost, shown: ShownComponent, close: () => void): Panel {
  return {
    name: "component",
    share: "fit",
    isQuestion: true,
    draw: (size) => shown.draw(size),
    ...componentKeys(host, shown, close),
    dispose: () => shown.dispose(),
  };
}
