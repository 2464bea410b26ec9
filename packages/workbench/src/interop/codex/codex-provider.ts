/** Reads the provider that Codex is configured with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@bough/session/text/index.js";

/**
 * The `model_provider` in `config.toml` or in its selected profile; undefined if there is none, in which case Codex
 * uses its default. Parses only what these two keys need.
 */
export function codexProvider(home: string): string | undefined {
  // Missing or not readable.
  const text = attempt(() => readFileSync(join(home, "config.toml"), "utf8"));
  if (text === undefined) return undefined;
  const tables = tablesOf(text);
  const profile = textAt(tables.get(""), "profile");
  const names = profile === undefined ? [] : [`profiles.${profile}`, `profiles.${JSON.stringify(profile)}`];
  const chosen = names.map((name) => textAt(tables.get(name), "model_provider")).find((value) => value !== undefined);
  return chosen ?? textAt(tables.get(""), "model_provider");
}

/** The lines of each TOML table by name; "" for those before the first. */
function tablesOf(text: string): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  let lines: string[] = [];
  tables.set("", lines);
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim();
    if (name === undefined) lines.push(line);
    else {
      lines = tables.get(name) ?? [];
      tables.set(name, lines);
    }
  }
  return tables;
}

function textAt(lines: readonly string[] | undefined, key: string): string | undefined {
  const pattern = new RegExp(`^\\s*${key}\\s*=\\s*(?:"([^"\\\\]*)"|'([^']*)')\\s*(?:#.*)?$`);
  for (const line of lines ?? []) {
    const found = pattern.exec(line);
    const value = found?.[1] ?? found?.[2];
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
