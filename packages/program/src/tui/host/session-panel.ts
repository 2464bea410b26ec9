/** A panel over the session: its keys, its message, and the work it starts. */

import type { DrawnList } from "@bough/session/view/internal.js";
import type { ScreenApp } from "../app/screen.js";
import { showHelp } from "../help/show-help.js";
import type { KeyPress } from "../keys/key-press.js";
import type { BoundKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { listFrame } from "./list-frame.js";
import type { Frame, Panel, Size } from "./panel.js";
import { PanelWork } from "./panel-work.js";

export abstract class SessionPanel implements Panel {
  abstract readonly name: string;
  abstract readonly share: Panel["share"];
  /** Its key table. */
  protected abstract readonly keys: BoundKeys;
  readonly app: ScreenApp;
  readonly work: PanelWork;
  /** Closes it. */
  readonly close: () => void;
  #said: OffReason | undefined;

  constructor(app: ScreenApp, close: () => void) {
    this.app = app;
    this.close = close;
    this.work = new PanelWork({ app, close, say: (message) => this.say(message) });
  }

  get keyScope(): string {
    return this.name;
  }

  get said(): OffReason | undefined {
    return this.#said;
  }

  set said(message: OffReason | undefined) {
    this.say(message);
  }

  /** Shown over its last lines until the next key. */
  say(message: OffReason | undefined): void {
    this.#said = message;
    this.app.host.redraw();
  }

  abstract draw(size: Size): Frame;

  frame(size: Size, drawn: DrawnList, message = this.#said): Frame {
    return listFrame(this.app.host, size, { drawn, message });
  }

  handleKey(key: KeyPress): boolean {
    this.say(undefined);
    const action = this.app.host.keys.actionFor(this.keyScope, key);
    if (action === undefined) return false;
    const reason = this.keys.run(action);
    if (reason !== undefined) this.say(reason);
    return true;
  }

  disabledReason(actionId: string): string | undefined {
    return this.keys.disabledReason(actionId);
  }

  help(): void {
    void showHelp(this.app.host, { scope: this.keyScope, disabledReason: (id) => this.disabledReason(id) });
  }
}
