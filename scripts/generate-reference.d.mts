import type { z } from "zod";

type Codes = Readonly<Record<string, string>>;

export interface ErrorTables {
  readonly session: Codes;
  readonly agent: Codes;
  readonly model: Codes;
  readonly commandLine: Codes;
  readonly problems: Codes;
}

export interface SettingsTables {
  readonly schema: z.ZodType;
  readonly defaults: object;
  readonly userOnly: readonly string[];
  readonly trustedOnly: readonly string[];
}

export function renderErrorsPage(tables: ErrorTables): string;
export function renderSettingsPage(tables: SettingsTables): string;
