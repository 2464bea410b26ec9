/** `bough models`: lists models, their prices and whether they can be used. */
import { resolve } from "node:path";
import {
  catalogue,
  type ModelInfo,
  OFFLINE_INFO,
  PRICES_DATE,
  readFetchedLists,
  readModelsFile,
  smallWindow,
  takeModelsFile,
} from "@bough/agent/model/index.js";
import { counted, firstWords, shortCount, wordMatcher } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { type ModelsHere, modelsHere } from "./registry-here.js";

export const row: SubcommandRow = {
  name: "models",
  usage: "[words...]",
  summary: "List models, with context window, price and key",
  details:
    "Lists the models Bough knows, those of your settings, those of servers on this machine and in your settings, and those of gateways you have a key for, such as OpenRouter. Prices are built in, with their date, or marked with the list they were fetched from. --refresh reads newer ones from a file: the api.json of models.dev, or what --json prints. See docs/models.md.",
  flags: {
    usable: { short: "u", help: "only models you have a key for, or that need none" },
    refresh: { value: "file", help: "take models and prices from this file; never fetched" },
    "no-servers": { help: "ask neither model servers nor gateways" },
  },
  examples: [
    ["models", "all of them"],
    ["models --usable", "those that can be used now"],
    ["models claude sonnet", "only models whose name contains these words"],
    ["models --refresh api.json", "newer models and prices, from a file you downloaded"],
  ],
  json: '{ "prices": { builtIn: date, list: date or null, fetched: { [list]: date } }, "models": [{ model, provider, id, name, contextWindow, maxOutput, reasoning, images, prices: { input, output, cacheRead, cacheWrite, above? } or null, pricesFrom?, usable, key: variable, "saved" or null, source: "built in" | "fetched" | "list" | "settings" | "server" }] }; with --refresh: { "models", "providers", "date" }',
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: "none",
};

const PROBE_MS = 2000;

interface Row {
  readonly info: ModelInfo;
  readonly reference: string;
  readonly usable: boolean;
  /** Where the key comes from, in a word; "" if none is needed or none is set. */
  readonly key: string;
  readonly source: "built in" | "fetched" | "list" | "settings" | "server";
}

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, out, signal, now } = call;
  const file = flags.text("refresh");
  if (file !== undefined) return refresh(call, file);
  const here = modelsHere(call);
  const found = flags.isOn("no-servers") ? [] : await asked(here, signal);
  const fits = wordMatcher(args.join(" "));
  const rows = rowsOf(here, found).filter(
    (row) => (!flags.isOn("usable") || row.usable) && fits(`${row.reference} ${row.info.name}`),
  );
  const date = readModelsFile(here.home)?.date;
  const fetched = Object.fromEntries(readFetchedLists(here.home).map((list) => [list.from, list.date]));
  const dates = { builtIn: PRICES_DATE, list: date ?? null, fetched };
  if (out.json) await out.values({ prices: dates }, "models", rows.map(jsonRow));
  else await out.lines(lines(rows, { date, fetched, today: now() }));
  return 0;
}

/** The models of servers. Gateways are asked as well, and what they say is part of the registry then. */
async function asked({ registry }: ModelsHere, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const request = { signal, timeoutMs: PROBE_MS };
  const [found] = await Promise.all([registry.discover(request), registry.askGateways(request)]);
  return found;
}

function refresh({ out, places: { cwd }, now }: SubcommandCall, file: string): number {
  const { home } = modelsHere({ places: { cwd, dir: undefined } });
  const { models, date } = takeModelsFile({ home, file: resolve(cwd, file), date: now().toISOString().slice(0, 10) });
  const providers = new Set(models.map(({ provider }) => provider)).size;
  if (out.json) out.value({ models: models.length, providers, date });
  else out.line(`Read ${counted(models.length, "model")} of ${counted(providers, "provider")}.`);
  return 0;
}

function rowsOf({ registry, home, settings }: ModelsHere, found: readonly ModelInfo[]): Row[] {
  const name = ({ provider, id }: ModelInfo) => `${provider}/${id}`;
  const usable = new Set(registry.available().map(name));
  const served = new Set(found.map(name));
  const listed = new Set((readModelsFile(home)?.models ?? []).map(({ provider, id }) => `${provider}/${id}`));
  const fetched = new Set(
    readFetchedLists(home).flatMap(({ models }) => models.map(({ provider, id }) => `${provider}/${id}`)),
  );
  const builtIn = new Set(catalogue().models.map(name));
  const own = Object.entries(settings.models?.providers ?? {});
  const set = new Set(own.flatMap(([provider, { models = [] }]) => models.map(({ id }) => `${provider}/${id}`)));
  const keys = new Map<string, string>();
  const keyOf = (provider: string) => {
    const known = keys.get(provider);
    if (known !== undefined) return known;
    const source = registry.keySource(provider);
    const words = source === undefined ? "" : source.kind === "file" ? "saved" : source.name;
    keys.set(provider, words);
    return words;
  };
  return registry.all().map((info) => {
    const reference = name(info);
    const source = set.has(reference)
      ? "settings"
      : served.has(reference)
        ? "server"
        : listed.has(reference)
          ? "list"
          : fetched.has(reference) && !builtIn.has(reference)
            ? "fetched"
            : "built in";
    return { info, reference, usable: usable.has(reference), key: keyOf(info.provider), source };
  });
}

function jsonRow({ info, reference, usable, key, source }: Row): object {
  const { provider, id, name, contextWindow, maxOutput, reasoning, images, prices = null, pricesFrom } = info;
  return {
    ...{ model: reference, provider, id, name, contextWindow, maxOutput, reasoning, images, prices },
    ...(pricesFrom === undefined ? {} : { pricesFrom }),
    ...{ usable, key: key === "" ? null : key, source },
  };
}

interface ListDates {
  readonly date: string | undefined;
  /** Dates of the fetched lists, by name. */
  readonly fetched: Readonly<Record<string, string>>;
  readonly today: Date;
}

function* lines(rows: readonly Row[], { date, fetched, today }: ListDates): Generator<Line> {
  if (rows.length === 0) yield [span("No models found.", "muted")];
  const cells = rows.map((row) => [
    firstWords(row.reference, 120),
    shortCount(row.info.contextWindow),
    priceText(row.info),
    row.usable ? row.key || "no key needed" : "no key",
    row.info.pricesFrom === undefined ? row.source : `prices of ${row.info.pricesFrom}`,
  ]);
  const head = ["Model", "Context", "Price in/out", "Key", "Source"];
  const widths = head.map((title, column) =>
    Math.max(...[[...head], ...cells].map((one) => displayWidth(one[column] ?? title))),
  );
  const row = (texts: readonly string[]): string =>
    texts
      .map((text, column) => text + " ".repeat((widths[column] ?? 0) - displayWidth(text)))
      .join("  ")
      .trimEnd();
  if (rows.length > 0) yield [span(row(head), "strong")];
  for (const [at, texts] of cells.entries()) {
    yield [span(row(texts), rows[at]?.usable === true ? "text" : "muted")];
    const small = rows[at]?.usable === true ? smallWindow((rows[at] as Row).info) : undefined;
    if (small !== undefined) yield [span(`  ${small.hint}`, "note")];
  }
  yield [];
  const days = Math.floor((today.getTime() - Date.parse(PRICES_DATE)) / 86_400_000);
  const lists = Object.entries(fetched).map(([from, day]) => `, those of ${from} ${day}`);
  const age = days > 90 && date === undefined && lists.length === 0 ? " Newer ones: bough models --refresh <file>" : "";
  const list = date === undefined ? "" : `, those of your list ${date}`;
  yield [
    span(
      `Prices in dollars per million tokens; built-in ones as of ${PRICES_DATE}${lists.join("")}${list}.${age}`,
      "muted",
    ),
  ];
}

/** Unknown is not the same as free. */
function priceText({ prices, provider }: ModelInfo): string {
  if (provider === OFFLINE_INFO.provider) return "free";
  if (prices === undefined) return "unknown";
  return `$${prices.input} / $${prices.output}${prices.above === undefined ? "" : "+"}`;
}
