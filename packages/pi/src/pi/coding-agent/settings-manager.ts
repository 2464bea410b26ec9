/** The settings that extensions read, taken from Bough's. Extensions cannot change them; `/settings` does. */
import { readSettings, type Settings } from "@bough/agent/project/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { DEFAULT_COMPACTION_SETTINGS } from "./estimates.js";

interface CreateOptions {
  readonly projectTrusted?: boolean;
}

export class SettingsManager {
  readonly #values: Readonly<Record<string, unknown>>;

  private constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** A project's own settings apply once it is trusted. */
  static create(cwd: string, agentDir: string = boughHome(), options: CreateOptions = {}): SettingsManager {
    const projectTrusted = options.projectTrusted === true;
    const { settings } = readSettings({ cwd, home: agentDir, projectTrusted });
    return new SettingsManager({ ...(settings as Settings & Record<string, unknown>) });
  }

  static inMemory(values: Readonly<Record<string, unknown>> = {}): SettingsManager {
    return new SettingsManager(values);
  }

  async reload(): Promise<void> {}

  getDefaultProvider(): string | undefined {
    return this.#model()[0];
  }

  getDefaultModel(): string | undefined {
    return this.#model()[1];
  }

  getDefaultThinkingLevel(): string | undefined {
    return this.#text("thinkingLevel");
  }

  getTheme(): string | undefined {
    return this.#text("theme");
  }

  getThemeSetting(): string | undefined {
    return this.getTheme();
  }

  getCompactionEnabled(): boolean {
    return this.getCompactionSettings().enabled;
  }

  getCompactionSettings(): { enabled: boolean; reserveTokens: number; keepRecentTokens: number } {
    const { compaction } = this.#values;
    return { ...DEFAULT_COMPACTION_SETTINGS, ...(isRecord(compaction) ? defined(compaction) : {}) };
  }

  getExtensionPaths(): readonly string[] {
    const { extensions } = this.#values;
    return Array.isArray(extensions) ? (extensions as string[]) : [];
  }

  getShellPath(): undefined {
    return undefined;
  }

  getHideThinkingBlock(): boolean {
    return this.#values.hideThinking === true;
  }

  getQuietStartup(): boolean {
    return false;
  }

  #model(): readonly [provider?: string, model?: string] {
    const [, provider, model] = /^([^/]+)\/(.+)$/.exec(this.#text("model") ?? "") ?? [];
    return provider === undefined || model === undefined ? [] : [provider, model];
  }

  #text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }
}
