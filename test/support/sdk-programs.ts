/** The programs that docs/sdk.md shows, in the order they are read. */
import { readFileSync } from "node:fs";
import ts from "typescript";

const page = readFileSync(new URL("../../docs/sdk.md", import.meta.url), "utf8");

/** As they are printed, in TypeScript. Of one section, or of the whole page. */
export function sdkPrograms(section?: string): string[] {
  const [, text] = section === undefined ? ["", page] : page.split(new RegExp(`^## ${section}$`, "m"));
  if (text === undefined) throw new Error(`docs/sdk.md has no section "${section}"`);
  const [own = ""] = section === undefined ? [text] : text.split(/^## /m);
  const programs = [...own.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
  const fences = [...own.matchAll(/^ *(?:```|~~~) *(?:ts|tsx|js|mjs|typescript|javascript)\b/gm)];
  if (programs.length !== fences.length)
    throw new Error(`A program of docs/sdk.md is not in a block that begins "\`\`\`ts"`);
  return programs;
}

/** Without types, so that every version of Node runs it. */
export function asJavaScript(program: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(program, { compilerOptions }).outputText;
}
