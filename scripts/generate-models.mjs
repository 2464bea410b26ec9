// Writes the table of built-in models (`listed-models.ts`) from a file of facts about models:
//
//   node scripts/generate-models.mjs models.json 2026-11-02
//
// The file has `providers`, by name, each with `models`: id, name, context, output, input, reasoning, and price as
// [input, output, cacheRead, cacheWrite] in dollars per million tokens. The day is the one on which the prices were current.
// Prices of zero mean that a plan or a trial pays, or that the price is missing: they count as unknown.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OUT = fileURLToPath(new URL("../packages/agent/src/model/catalogue/listed-models.ts", import.meta.url));

/** Our names of the providers in the file; a provider that is not here is left out. */
const NAMES = {
  "amazon-bedrock": "bedrock",
  anthropic: "anthropic",
  azure: "azure",
  baseten: "baseten",
  cerebras: "cerebras",
  "cloudflare-workers-ai": "cloudflare",
  deepseek: "deepseek",
  fireworks: "fireworks",
  "github-copilot": "github-copilot",
  google: "google",
  "google-vertex": "vertex",
  groq: "groq",
  huggingface: "huggingface",
  minimax: "minimax",
  mistral: "mistral",
  moonshotai: "moonshotai",
  nvidia: "nvidia",
  openai: "openai",
  opencode: "opencode",
  "qwen-token-plan": "qwen-token-plan",
  together: "together",
  xai: "xai",
  zai: "zai",
};

const [file, date] = process.argv.slice(2);
if (file === undefined || !/^\d{4}-\d\d-\d\d$/.test(date ?? "")) {
  console.error("usage: node scripts/generate-models.mjs <facts.json> <yyyy-mm-dd>");
  process.exit(2);
}

const { providers } = JSON.parse(readFileSync(file, "utf8"));
let count = 0;
const tables = Object.entries(NAMES).flatMap(([theirs, ours]) => {
  const models = providers[theirs]?.models ?? [];
  const ids = new Set(models.map((/** @type {{ id: string }} */ { id }) => id));
  // A snapshot with a date is the same model as the name without it.
  const rows = models
    .filter((/** @type {{ id: string }} */ { id }) => !ids.has(undated(id)) || undated(id) === id)
    .map(rowOf);
  count += rows.length;
  return rows.length === 0
    ? []
    : [`  ${/^\w+$/.test(ours) ? ours : JSON.stringify(ours)}: \`\n${rows.join("\n")}\n\`,`];
});
writeFileSync(
  OUT,
  `/** Written by scripts/generate-models.mjs; ${count} models. One line each: see \`listed-models-table.ts\`. */

/** The day on which these prices were current. */
export const LISTED_DATE = "${date}";

export const LISTED_TABLES: Readonly<Record<string, string>> = {
${tables.join("\n")}
};
`,
);
console.log(`${count} models of ${tables.length} providers`);

/** @param {string} id */
function undated(id) {
  return id.replace(/-\d{4}-?\d\d-?\d\d$/, "");
}

/** @param {{ id: string, name: string, context: number, output: number, input: readonly string[], reasoning: boolean, price: readonly number[] | null }} model */
function rowOf({ id, name, context, output, input, reasoning, price }) {
  const [inputPrice = 0, outputPrice = 0, ...cache] = price ?? [];
  const isPriced = inputPrice > 0 && outputPrice > 0;
  const flags = `${reasoning ? "r" : ""}${input.includes("image") ? "i" : ""}`;
  const cells = [id, name === id ? "" : name, context, output, flags];
  // A cache price of zero means that the cache has no price of its own.
  if (isPriced) cells.push([inputPrice, outputPrice, ...cache.map((one) => (one > 0 ? one : ""))].join(" ").trimEnd());
  const row = cells.join("|").replace(/\|+$/, "");
  if (/[`\\$\n]/.test(row) || cells.some((cell) => String(cell).includes("|"))) throw new Error(`bug: ${row}`);
  return row;
}
