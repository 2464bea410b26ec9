/** Expands `${NAME}` and `${NAME:-default}` in server settings when a server is used; the values are never stored. */
import type { McpServerSettings } from "./server-settings.js";

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** `missing`: variables that are not set and have no default. */
export function expandServer(
  settings: McpServerSettings,
  env: Environment,
): { readonly settings: McpServerSettings; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const text = (value: string): string =>
    value.replace(VARIABLE, (_all, name: string, fallback: string | undefined) => {
      const found = env[name];
      if (found !== undefined && (found !== "" || fallback === undefined)) return found;
      if (fallback === undefined) missing.add(name);
      return fallback ?? "";
    });
  const expanded = deep(settings, text) as McpServerSettings;
  return { settings: expanded, missing: [...missing] };
}

function deep(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => deep(item, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item, text)]));
}
