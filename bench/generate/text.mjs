/**
 * Pieces of text as they stand inside JSON strings: already escaped, so a line is put together without serialising it.
 *
 * Prose, code and program output in the proportions a coding session has, with quotes, backslashes, tabs, newlines and
 * some text outside ASCII.
 */
import { seededRandom } from "./random.mjs";

const WORDS =
  `the a of to and in that it is was for on with as at by from this we have not are but can one all when there use more
  if out so what up said about who get which go me make like time just know take people into year your good some could
  them see other than then now look only come its over think also back after work first well way even new want because
  any these give day most file test branch entry leaf parent index value error return function type class module import
  export string number array object cache buffer stream reader writer parser token request response server client
  config option flag path folder build compile check lint deploy release version commit merge rebase change remove add
  rename refactor extract inline handle throw catch retry timeout abort signal event listener queue worker thread lock`
    .split(/\s+/)
    .filter(Boolean);
const FOREIGN = ["naïve", "Größe", "déjà", "señal", "→", "—", "…", "日本語", "данные", "✓", "…", "🌿"];
const FOLDERS = ["src", "lib", "test", "packages/core", "packages/web", "scripts", "app/routes", "internal/store"];
const ENDINGS = ["ts", "tsx", "js", "py", "rs", "go", "md", "json"];

/** @typedef {{ prose: readonly string[], code: readonly string[], output: readonly string[] }} TextPool */

/** @type {TextPool | undefined} */
let shared;

/** The pool is the same for every file: files differ in the order in which pieces are taken. */
export function textPool() {
  shared ??= buildPool();
  return shared;
}

function buildPool() {
  const random = seededRandom(20_250_101);
  const make = (/** @type {number} */ count, /** @type {() => string} */ piece) =>
    Array.from({ length: count }, () => escaped(piece()));
  return {
    prose: make(768, () => sentence(random)),
    code: make(512, () => codeLines(random)),
    output: make(512, () => outputLines(random)),
  };
}

/** @param {string} text */
function escaped(text) {
  return JSON.stringify(text).slice(1, -1);
}

/** @param {import("./random.mjs").Random} random */
function sentence(random) {
  const words = Array.from({ length: random.between(6, 22) }, () =>
    random.chance(0.015) ? random.pick(FOREIGN) : random.pick(WORDS),
  );
  if (random.chance(0.15))
    words.splice(random.below(words.length), 0, `\`${random.pick(WORDS)}("${filePath(random)}")\``);
  const text = words.join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random.chance(0.2) ? ".\n\n" : ". "}`;
}

/** @param {import("./random.mjs").Random} random */
function codeLines(random) {
  const lines = [];
  for (let count = random.between(4, 12); count > 0; count--) {
    const name = `${random.pick(WORDS)}${capital(random.pick(WORDS))}`;
    lines.push(
      random.pick([
        `\tconst ${name} = await ${random.pick(WORDS)}("${filePath(random)}");`,
        `  if (${name} !== undefined && ${random.pick(WORDS)}.length > ${random.below(900)}) return ${random.pick(WORDS)};`,
        `  // ${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)} ${random.chance(0.05) ? "→ ✓" : ""}`,
        `  expect(${name}).toEqual({ "${random.pick(WORDS)}": /^\\d+\\s"${random.pick(WORDS)}"$/ });`,
        `export function ${name}(${random.pick(WORDS)}: string): ${capital(random.pick(WORDS))} {`,
        "}",
        "",
      ]),
    );
  }
  return `${lines.join("\n")}\n`;
}

/** @param {import("./random.mjs").Random} random */
function outputLines(random) {
  const lines = [];
  for (let count = random.between(3, 9); count > 0; count--) {
    lines.push(
      random.pick([
        `${filePath(random)}:${random.below(2000)}:${random.below(120)}  ${random.pick(WORDS)} ${random.pick(WORDS)}`,
        ` ✓ ${filePath(random)} (${random.below(90)} tests) ${random.below(4000)}ms`,
        `{"level":"info","${random.pick(WORDS)}":"${random.pick(WORDS)}","count":${random.below(100000)},"ok":true}`,
        `-rw-r--r-- 1 dev dev ${random.below(999999)} ${filePath(random)}`,
        `C:\\${random.pick(WORDS)}\\${random.pick(WORDS)}\\${random.pick(WORDS)}.${random.pick(ENDINGS)}`,
        `\u001b[32m${random.pick(WORDS)}\u001b[39m\t${random.pick(WORDS)}\t${random.below(1000)}`,
      ]),
    );
  }
  return `${lines.join("\n")}\n`;
}

/** @param {import("./random.mjs").Random} random */
function filePath(random) {
  return `${random.pick(FOLDERS)}/${random.pick(WORDS)}-${random.pick(WORDS)}.${random.pick(ENDINGS)}`;
}

/** @param {string} word */
function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
