/** The provider that Codex is set up with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@bough/session/text/index.js";

/**
 * What `config.toml` names as `model_provider`, itself or in the profile it chooses; undefined where it names none, and
 * Codex takes its own. Reads these two keys and no more of the format.
 */
export function codexProvider(home: string): string | undefined {
  // Not there, or not ours to read.
  const text = attempt(() => readFileSync(join(home, "config.toml"), "utf8"));
  if (text === undefined) return undefined;
  const tables = tablesOf(text);
  const profile = textAt(tables.get(""), "profile");
  const names = profile === undefined ? [] : [`profiles.${profile}`, `profiles.${JSON.stringify(profile)}`];
  const chosen = names.map((name) => textAt(tables.get(name), "model_provider")).find((value) => value !== undefined);
  return chosen ?? textAt(tables.get(""), "model_provider");
}

/** The lines of each table, by its name; those before the first have none. */
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
