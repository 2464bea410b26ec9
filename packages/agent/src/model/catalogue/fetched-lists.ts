/**
 * Lists of models that were fetched: from models.dev, and from gateways about themselves. Each is a file in
 * `$BOUGH_HOME/cache/models`, which can be deleted at any time. Only names and numbers are kept.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";
import { attempt, isRecord, jsonObject, parsedJson } from "@bough/session/text/index.js";
import { boundedText } from "../network/bounded-text.js";
import { KNOWN_PROVIDERS } from "./known-providers.js";
import { type ListedModel, MOST_MODELS, modelsIn, validModel } from "./models-file.js";

/** The name of the list of all providers; the others are named after their gateway. */
export const MODELS_DEV = "models.dev";
export const MODELS_DEV_URL = "https://models.dev/api.json";

export interface FetchedList {
  /** `models.dev`, or the gateway that says this about itself. */
  readonly from: string;
  /** The day it was fetched, such as 2026-11-16. */
  readonly date: string;
  readonly models: readonly ListedModel[];
}

interface ListFile extends FetchedList {
  /** Whether the last attempt failed, which was when the file was written. */
  readonly failed: boolean;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
const PATIENCE_MS = 15_000;
const MOST_BYTES = 16 << 20;

function folderIn(home: string): string {
  return join(home, "cache", "models");
}

/** All lists: models.dev first, so that gateways override it. */
export function readFetchedLists(home: string): readonly FetchedList[] {
  const names = (attempt(() => readdirSync(folderIn(home))) ?? []).filter((name) => name.endsWith(".json")).sort();
  const lists = names.flatMap((name) => readList(home, name.slice(0, -".json".length)) ?? []);
  const isFirst = ({ from }: FetchedList): number => (from === MODELS_DEV ? 0 : 1);
  return lists.filter(({ models }) => models.length > 0).sort((a, b) => isFirst(a) - isFirst(b));
}

function readList(home: string, from: string): ListFile | undefined {
  const file = attempt(() => jsonObject(readFileSync(join(folderIn(home), `${from}.json`), "utf8")));
  if (typeof file?.date !== "string" || !Array.isArray(file.models)) return undefined;
  const models = (file.models as readonly unknown[]).slice(0, MOST_MODELS).filter(isRecord).flatMap(validModel);
  return { from, date: file.date, failed: file.failed === true, models };
}

/** Whether a list should be fetched now: once a day, and an hour after a failure. */
export function isDue({
  home,
  from,
  now,
}: {
  readonly home: string;
  readonly from: string;
  readonly now: number;
}): boolean {
  const tried = attempt(() => statSync(join(folderIn(home), `${from}.json`)).mtimeMs);
  // A clock that was set back must not stop it.
  const age = tried === undefined ? DAY : Math.abs(now - tried);
  return age >= DAY || (age >= HOUR && readList(home, from)?.failed !== false);
}

export interface FetchListRequest {
  readonly home: string;
  readonly from: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Follows no redirect to another address. */
  readonly fetch: typeof globalThis.fetch;
  readonly modelsOf: (answer: unknown) => readonly ListedModel[];
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns whether the list was fetched. Never throws: the list before stays, and the next attempt is an hour later. */
export async function fetchList(request: FetchListRequest): Promise<boolean> {
  const { home, from, url, headers = {}, fetch, modelsOf, now } = request;
  const before = readList(home, from);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = request.signal === undefined ? patience : AbortSignal.any([request.signal, patience]);
  let models: readonly ListedModel[] = [];
  try {
    const response = await fetch(url, { headers: { accept: "application/json", ...headers }, signal });
    const text = response.ok ? await boundedText(response, MOST_BYTES) : undefined;
    if (!response.ok) await response.body?.cancel();
    models = text === undefined ? [] : modelsOf(parsedJson(text)).slice(0, MOST_MODELS);
  } catch {
    // Whatever is wrong with it, there is the list before and the one that is built in.
  }
  if (request.signal?.aborted === true) return false;
  const failed = models.length === 0;
  const list: Omit<ListFile, "from"> = failed
    ? { date: before?.date ?? "", models: before?.models ?? [], failed }
    : { date: new Date(now).toISOString().slice(0, 10), models, failed };
  attempt(() =>
    writeWhole(join(folderIn(home), `${from}.json`), `${JSON.stringify(list)}\n`, {
      existing: "replace",
      durable: false,
    }),
  );
  return !failed;
}

/** The models of models.dev's `api.json`: of providers that are known here. */
export function modelsOfModelsDev(answer: unknown): readonly ListedModel[] {
  return isRecord(answer) ? modelsIn(answer).filter(({ provider }) => Object.hasOwn(KNOWN_PROVIDERS, provider)) : [];
}
