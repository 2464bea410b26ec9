/** Rules that name files of a project hold in the folders of its attempts as well. */
import { homedir } from "node:os";
import { sep } from "node:path";
import { parseRule, type Rule } from "@bough/agent/tool/index.js";
import { isInside } from "@bough/session/log/index.js";
import type { AttemptFolder } from "@bough/workbench/folder/internal.js";

/** The rules, and for each that names an absolute path in the project, the same for the copy. */
export function withCopiedPaths(
  rules: readonly Rule[],
  place: Pick<AttemptFolder, "root" | "path"> | undefined,
): readonly Rule[] {
  if (place === undefined) return rules;
  const { root, path } = place;
  const names = [root];
  // As people write it in settings.
  if (isInside(homedir(), root) && root !== homedir()) names.push(`~${root.slice(homedir().length)}`);
  return rules.flatMap((rule) => {
    const copies = names.flatMap((name) => {
      const text = replacedPath(rule.text, { name: escaped(name), copy: escaped(path) });
      return text === undefined ? [] : [parseRule(text, rule)];
    });
    return [rule, ...copies];
  });
}

/** In paths of rules, a backslash escapes a wildcard. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\]{}()!]/g, "\\$&");
}

/** Undefined if the text does not name the folder, or something in it. */
function replacedPath(
  text: string,
  { name, copy }: { readonly name: string; readonly copy: string },
): string | undefined {
  let found = false;
  let rest = text;
  let made = "";
  for (let at = rest.indexOf(name); at >= 0; at = rest.indexOf(name)) {
    const [before = "", after = ""] = [rest[at - 1], rest[at + name.length]];
    const isWhole = /[(\s"'=:]/.test(before) && (after === sep || /[)\s"':]/.test(after));
    found ||= isWhole;
    made += rest.slice(0, at) + (isWhole ? copy : name);
    rest = rest.slice(at + name.length);
  }
  return found ? made + rest : undefined;
}
