/** Keys, theme and symbols from the settings, kept current while the terminal is open. */

import type { Registrations } from "@bough/agent/extension/run.js";
import type { Settings } from "@bough/agent/project/index.js";
import { ALL_KEYS } from "../keys/all-keys.js";
import { createKeyMap, type KeyOverrides } from "../keys/create-key-map.js";
import { terminalLook } from "../theme/terminal-look.js";
import type { TerminalShell } from "./terminal-shell.js";

interface LookParts {
  readonly shell: Pick<TerminalShell, "setKeys" | "setLook">;
  readonly registrations: Pick<Registrations, "shortcuts">;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

type LookSettings = Pick<Settings, "theme" | "glyphs" | "keys">;

export class AppLook {
  readonly #parts: LookParts;
  #shown: string;
  #overrides: KeyOverrides | undefined;

  /** The look was decided when the terminal opened, but the shortcuts of extensions are only known now. */
  constructor(parts: LookParts, settings: LookSettings) {
    this.#parts = parts;
    this.#shown = shownBy(settings);
    this.#useKeys(settings.keys);
  }

  /** Does nothing if none of it changed. */
  follow(settings: LookSettings): void {
    if (shownBy(settings) === this.#shown) return;
    this.#shown = shownBy(settings);
    const { shell, env, platform } = this.#parts;
    this.#useKeys(settings.keys);
    shell.setLook(terminalLook({ env, platform, theme: settings.theme, glyphs: settings.glyphs }));
  }

  /** Extensions were reloaded and may have other shortcuts. */
  useShortcuts(): void {
    this.#useKeys(this.#overrides);
  }

  #useKeys(overrides: KeyOverrides = {}): void {
    this.#overrides = overrides;
    const { shell, registrations } = this.#parts;
    const shortcuts = registrations.shortcuts.map(({ name, extension, value }) => ({
      key: name,
      extension,
      help: value.description ?? `what ${extension} does with it`,
    }));
    shell.setKeys(createKeyMap({ scopes: ALL_KEYS, overrides, shortcuts }));
  }
}

function shownBy({ theme, glyphs, keys }: LookSettings): string {
  return JSON.stringify([theme, glyphs, keys]);
}
