/** The model that sessions start with if only a provider with a long list of models has a key. */
import type { ModelInfo } from "../language-model.js";

const VERSION = "\\d{1,2}(?:[.-]\\d{1,2})?";
const kind = (before: string, after = ""): RegExp => new RegExp(`^${before}${VERSION}${after}$`);

/** The kind that a vendor's own customers use every day. */
const OF_VENDORS: Readonly<Record<string, RegExp>> = {
  deepseek: kind("deepseek-v", "-pro"),
  minimax: kind("minimax-m"),
  mistral: /^mistral-large-latest$/,
  moonshotai: kind("kimi-k", "(?:-pro)?"),
  nvidia: kind("nemotron-", "-ultra-.*"),
  qwen: kind("qwen", "-max"),
  "qwen-token-plan": kind("qwen", "-max"),
  xai: kind("grok-"),
  zai: kind("glm-"),
};

/** For everyone who hosts models of others: the first kind that they have. */
const HOSTED: readonly RegExp[] = [
  kind("claude-sonnet-"),
  kind("gpt-", "(?:-sol)?"),
  kind("gemini-", "-(?:pro|argon)"),
  kind("glm-"),
  kind("kimi-k", "(?:-pro)?"),
  /^gpt-oss-120b$/,
];

/**
 * Providers of which no model is chosen: clouds whose models depend on the region or the deployment, and those whose key
 * is often set for other work, such as downloads.
 */
const NEVER: ReadonlySet<string> = new Set(["azure", "bedrock", "huggingface", "vertex"]);

/** Enough for instructions, tools and a few files. */
const LEAST_CONTEXT = 100_000;

/**
 * The newest of these models, all of one provider, that is good enough for daily work. Models with a known price go first,
 * so that costs can be shown. Undefined if none is of a kind that is known here.
 */
export function newestOf(provider: string, models: readonly ModelInfo[]): ModelInfo | undefined {
  if (NEVER.has(provider)) return undefined;
  const own = Object.hasOwn(OF_VENDORS, provider) ? OF_VENDORS[provider] : undefined;
  const large = models.filter(({ contextWindow }) => contextWindow >= LEAST_CONTEXT);
  for (const wanted of own === undefined ? HOSTED : [own]) {
    const same = large.filter(({ id }) => wanted.test(shortName(id)));
    const priced = same.filter(({ prices }) => prices !== undefined);
    const [newest] = (priced.length > 0 ? priced : same).sort((a, b) => byVersion(b, a));
    if (newest !== undefined) return newest;
  }
  return undefined;
}

/** `accounts/fireworks/models/glm-5p3` is `glm-5.3`. */
function shortName(id: string): string {
  return (id.split("/").at(-1) as string).toLowerCase().replace(/(?<=\d)p(?=\d)/g, ".");
}

function byVersion(a: ModelInfo, b: ModelInfo): number {
  const [left, right] = [a, b].map(({ id }) => [...shortName(id).matchAll(/\d+/g)].map(Number));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? -1) - (right?.[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
