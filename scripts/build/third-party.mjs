// Writes dist/THIRD-PARTY.txt: which packages are bundled, and their licences.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RULE = "-".repeat(80);

/** @param {{ root: string, folder: string, modules: readonly string[] }} made */
export function writeLicences({ root, folder, modules }) {
  const terms = { MIT: mitTerms(root), "Apache-2.0": apacheTerms(root) };
  const packages = [...new Set(modules.flatMap(packageFolder))].map((one) => read(one, terms));
  packages.sort((a, b) => (a.title < b.title ? -1 : 1));
  const text = [
    "Bough contains code of these packages, unchanged but for being bundled:",
    "",
    ...packages.map(({ title, licence }) => `- ${title} (${licence})`),
    ...packages.flatMap(({ title, licence, text: own }) => chapter(`${title} (${licence})`, own)),
    ...(packages.some(({ licence }) => licence === "Apache-2.0")
      ? chapter("Apache License 2.0", terms["Apache-2.0"])
      : []),
    "",
  ];
  writeFileSync(join(folder, "THIRD-PARTY.txt"), text.join("\n"));
}

/** @param {string} title @param {string} text */
function chapter(title, text) {
  return ["", RULE, title, RULE, "", text];
}

/** @param {string} module */
function packageFolder(module) {
  const [, inside] = /^\0?(.*node_modules\/(?!.*node_modules\/)(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
  return inside === undefined ? [] : [inside];
}

/**
 * Some packages name their licence without including its text, which must be there.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} terms
 */
function read(folder, terms) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const title = `${name} ${version}`;
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (file !== undefined) return { title, licence: license, text: readFileSync(join(folder, file), "utf8").trim() };
  if (terms[license] === undefined)
    throw new Error(`bug: ${title} has no licence text, and ${license} is not known here`);
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
  const ending = license === "MIT" ? terms.MIT : "The terms are at the end of this file.";
  return { title, licence: license, text: `Copyright (c) ${holder}\n\n${ending}` };
}

/** The terms of the MIT licence, which Bough uses too. @param {string} root */
function mitTerms(root) {
  return from(join(root, "LICENSE"), "Permission is hereby granted");
}

/** The terms of the Apache licence, from a package with the full text. @param {string} root */
function apacheTerms(root) {
  return from(join(root, "node_modules/typescript/LICENSE.txt"), "Apache License");
}

/** @param {string} file @param {string} words */
function from(file, words) {
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(words);
  if (start < 0) throw new Error(`bug: ${file} is not the licence it should be`);
  return text.slice(start).trim();
}
