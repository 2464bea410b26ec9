/** Finds the modules that an extension's scripts import by name. */

const IMPORT = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(["'`])([^"'`\n]+)\1/g;
const CALL = /\b(?:import|require)\s*\(\s*/g;
/** The argument of a call if it is a constant string. */
const FIXED = /(["'`])[^"'`$\n]*\1\s*[,)]/y;

/** Names of packages and Node.js modules, without relative files; `unknown` if a name is computed at run time. */
export function importedModules(scripts: readonly string[]): readonly string[] | "unknown" {
  const names = new Set<string>();
  for (const script of scripts) {
    if (hasComputed(script)) return "unknown";
    for (const [, , name = ""] of script.matchAll(IMPORT)) if (!/^\.{0,2}\//.test(name)) names.add(name);
  }
  return [...names];
}

function hasComputed(script: string): boolean {
  for (const call of script.matchAll(CALL)) {
    FIXED.lastIndex = call.index + call[0].length;
    if (!FIXED.test(script)) return true;
  }
  return false;
}
