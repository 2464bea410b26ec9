type Codes = Readonly<Record<string, string>>;

export interface ErrorTables {
  readonly session: Codes;
  readonly interop: Codes;
  readonly exports: Codes;
  readonly stores: Codes;
  readonly files: Codes;
  readonly agent: Codes;
  readonly model: Codes;
  readonly commands: Codes;
  readonly commandLine: Codes;
  readonly problems: Codes;
}

export interface SettingsTables {
  readonly schema: object;
  readonly defaults: object;
  readonly userOnly: readonly string[];
  readonly trustedOnly: readonly string[];
}

export function renderErrorsPage(tables: ErrorTables): string;
export function renderSettingsPage(tables: SettingsTables): string;

export interface CommandTables {
  readonly groups: readonly {
    readonly title: string;
    readonly commands: readonly {
      readonly name: string;
      readonly aliases?: readonly string[];
      readonly usage: string;
      readonly summary: string;
      readonly details: string;
    }[];
  }[];
}

export function renderCommandsPage(tables: CommandTables): string;

export interface KeyTables {
  readonly scopes: readonly {
    readonly title: string;
    readonly actions: readonly { readonly id: string; readonly keys: readonly string[]; readonly help: string }[];
  }[];
}

export function renderKeysPage(tables: KeyTables): string;
