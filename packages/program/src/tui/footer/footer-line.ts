/** The last line of the screen: position and cost, as much as fits. */

import type { PermissionMode } from "@bough/agent/tool/index.js";
import { counted, firstWords, shortCost, shortCount } from "@bough/session/text/index.js";
import { type Glyphs, type Line, span, type Tone } from "@bough/session/view/index.js";
import { cutLine, cutToWidth, displayWidth } from "@bough/session/view/internal.js";

export interface FooterFacts {
  /** Shortened for display: `~/projects/parser`. */
  readonly folder: string;
  readonly gitBranch?: string | undefined;
  readonly sessionName?: string | undefined;
  readonly branch?: { readonly number: number; readonly name: string } | undefined;
  readonly model?: string | undefined;
  /** The other agent that does the turns, with its model as far as it is known. */
  readonly driver?:
    | { readonly title: string; readonly model?: string | undefined; readonly neverAsks: boolean }
    | undefined;
  /** Omitted if the model does not support thinking. */
  readonly thinking?: string | undefined;
  readonly context?: { readonly tokens: number; readonly window: number } | undefined;
  readonly cost?: { readonly dollars: number; readonly complete: boolean } | undefined;
  /** The fraction of the last request that came from the provider's cache, from 0 to 1. */
  readonly cached?: number | undefined;
  /** The cost of all branches of the session, if it is higher. */
  readonly sessionCost?: { readonly dollars: number; readonly complete: boolean } | undefined;
  /** The current activity: a symbol and a word or two. */
  readonly busy?: string | undefined;
  /** The key that stops it, if it is not stopping and that is what the key does. */
  readonly stopKey?: string | undefined;
  readonly queued: number;
  readonly readOnly: boolean;
  /** What tools may do without asking. */
  readonly mode?: PermissionMode;
  /** Omitted if no sandbox was requested. */
  readonly sandbox?: "on" | "unavailable" | undefined;
  /** How many permissions the user granted for the session. */
  readonly granted?: number;
  /** Number of files on disk that differ from those at this position. */
  readonly differing?: number;
  /** Omitted if automatic sync is off. */
  readonly sync?:
    | { readonly state: "idle" | "syncing" | "away" | "held" | "failed"; readonly pending: number }
    | undefined;
}

/** Parts with higher priority stay longer. If a part has several forms, the longest that fits is used. */
interface Part {
  readonly side: "left" | "right";
  readonly stays: number;
  /** How long its first form stays. Default: a fifth of that. */
  readonly longStays?: number;
  readonly forms: readonly string[];
  readonly tone: Tone;
}

export function footerLine(facts: FooterFacts, width: number, glyphs: Glyphs): Line {
  const separator = ` ${glyphs.dot} `;
  let parts = partsOf(facts, glyphs).filter(({ forms }) => forms[0] !== undefined && forms[0] !== "");
  let forms = parts.map(() => 0);
  const text = (index: number): string => parts[index]?.forms[forms[index] ?? 0] ?? "";
  const sideWidth = (side: Part["side"]): number => {
    const texts = parts.map((part, index) => (part.side === side ? text(index) : "")).filter((one) => one !== "");
    return texts.reduce((sum, one) => sum + displayWidth(one), Math.max(0, texts.length - 1) * displayWidth(separator));
  };
  const needed = (): number => {
    const left = sideWidth("left");
    const right = sideWidth("right");
    return 2 + left + right + (left > 0 && right > 0 ? 2 : 0);
  };
  while (parts.length > 1 && needed() > width) {
    // Drop the least important first: use a shorter form, then an even shorter one, then remove the part.
    const steps = parts.map((part, index) => {
      const next = (forms[index] ?? 0) + 1;
      const shorter = next < part.forms.length;
      const long = part.longStays ?? part.stays * 0.2;
      return { index, shorter, hurts: !shorter ? part.stays : next === 1 ? long : part.stays * 0.6 };
    });
    const { index, shorter } = steps.reduce((least, step) => (step.hurts < least.hurts ? step : least));
    if (shorter) forms = forms.map((form, at) => (at === index ? form + 1 : form));
    else {
      parts = parts.filter((_, at) => at !== index);
      forms = forms.filter((_, at) => at !== index);
    }
  }
  const side = (wanted: Part["side"]): Line => {
    const spans = parts.flatMap((part, index) => (part.side === wanted ? [span(text(index), part.tone)] : []));
    return spans.flatMap((one, index) => (index === 0 ? [one] : [span(separator, "muted"), one]));
  };
  const gap = Math.max(1, width - 2 - sideWidth("left") - sideWidth("right"));
  return cutLine([span(" "), ...side("left"), span(" ".repeat(gap)), ...side("right")], width, glyphs.ellipsis);
}

function partsOf(facts: FooterFacts, glyphs: Glyphs): readonly Part[] {
  const cut = (name: string, most: number): string => cutName(name, most, glyphs.ellipsis);
  const {
    folder,
    gitBranch,
    sessionName,
    branch,
    model,
    driver,
    thinking,
    context,
    cost,
    busy = "",
    stopKey,
    queued,
    readOnly,
    mode,
    sandbox,
    granted = 0,
    differing = 0,
    sync,
  } = facts;
  const left = { side: "left", tone: "muted" } as const;
  const right = { side: "right", tone: "muted" } as const;
  const used = context === undefined || context.window <= 0 ? undefined : context.tokens / context.window;
  const percent = used === undefined ? "" : `${Math.round(used * 100)}%`;
  const name = branch === undefined ? "" : cut(branch.name, 32);
  return [
    // The folder and the model have not changed since the prompt; how to stop is needed now.
    { ...left, stays: 100, longStays: 78, forms: busyForms(busy, stopKey, glyphs), tone: "accent" },
    { ...left, stays: 95, forms: [readOnly ? "read-only" : ""], tone: "bad" },
    // Hide the mode most people use; always show modes that run or refuse things.
    {
      ...left,
      stays: mode === "ask" ? 50 : 92,
      forms: mode === undefined ? [] : [`${mode} mode`, mode],
      tone: mode === "ask" ? "muted" : "accent",
    },
    { ...left, stays: 93, forms: [sandbox === "unavailable" ? "not sandboxed" : ""], tone: "bad" },
    { ...left, stays: 45, forms: [sandbox === "on" ? "sandboxed" : ""] },
    {
      ...left,
      stays: 85,
      forms: granted > 0 ? [`${counted(granted, "permission")} granted`, `${granted} granted`] : [],
      tone: "note",
    },
    {
      ...left,
      stays: 75,
      forms:
        differing > 0
          ? [
              `${counted(differing, "file")} ${differing === 1 ? "differs" : "differ"} on disk`,
              `${glyphs.changed}${differing} on disk`,
              `${glyphs.changed}${differing}`,
            ]
          : [],
      tone: "note",
    },
    {
      ...left,
      stays: sync === undefined || sync.state === "idle" || sync.state === "syncing" ? 55 : 88,
      forms: syncForms(sync, glyphs),
      tone: sync?.state === "failed" || sync?.state === "held" ? "bad" : sync?.state === "away" ? "note" : "muted",
    },
    { ...left, stays: 60, forms: [queued > 0 ? `${queued} waiting` : ""], tone: "accent" },
    { ...left, stays: 40, forms: [firstWords(folder), firstWords(lastFolder(folder))] },
    { ...left, stays: 30, forms: [gitBranch === undefined ? "" : `(${cut(gitBranch, 24)})`] },
    { ...left, stays: 35, forms: [cut(sessionName ?? "", 32), cut(sessionName ?? "", 16)] },
    {
      ...left,
      stays: 90,
      forms:
        branch === undefined
          ? []
          : [`#${branch.number} ${name}`, `#${branch.number} ${cut(name, 12)}`, `#${branch.number}`],
      tone: "here",
    },
    {
      ...right,
      stays: 80,
      forms: context === undefined || percent === "" ? [] : [`${percent} of ${shortCount(context.window)}`, percent],
      tone: used !== undefined && used > 0.8 ? "bad" : "muted",
    },
    { ...right, stays: 15, forms: facts.cached === undefined ? [] : [`${Math.round(facts.cached * 100)}% cached`] },
    { ...right, stays: 20, forms: costForms(cost, facts.sessionCost) },
    {
      ...right,
      stays: 70,
      forms:
        driver !== undefined
          ? driverForms(driver, glyphs)
          : model === undefined
            ? ["no model"]
            : [model, cut(model.split("/").at(-1) ?? model, 20)],
    },
    { ...right, stays: 10, forms: [thinking === "off" ? "thinking off" : (thinking ?? "")] },
  ];
}

/** That it never asks is said in every window: permissions mean nothing to it. */
function driverForms(
  { title, model, neverAsks }: NonNullable<FooterFacts["driver"]>,
  { ellipsis }: Glyphs,
): readonly string[] {
  const asks = neverAsks ? " (never asks)" : "";
  const last = model?.split("/").at(-1);
  const named = [model, last && cutName(last, 16, ellipsis)].filter((one) => one !== undefined);
  return [...new Set(named.map((one) => `${title} ${one}${asks}`)), `${title}${asks}`];
}

/** "⠋ Working 3 s · Esc stops": how to stop it goes before how long it has run. */
function busyForms(busy: string, stopKey: string | undefined, { dot }: Glyphs): readonly string[] {
  if (busy === "" || stopKey === undefined || stopKey === "") return [busy];
  const stops = `${dot} ${stopKey} stops`;
  // What is waited for matters less than how to stop it.
  const short = busy.replace(" for the model,", "");
  return [`${busy} ${stops}`, ...(short === busy ? [] : [`${short} ${stops}`]), busy];
}

/** "⇅ 3 store away": the number of entries not yet in the store, and why. */
function syncForms(sync: FooterFacts["sync"], { sync: sign }: Glyphs): readonly string[] {
  if (sync === undefined) return [];
  const count = sync.pending === 0 ? sign : `${sign} ${shortCount(sync.pending)}`;
  if (sync.state === "away") return [`${count} store away`, `${count} away`];
  if (sync.state === "held") return [`${count} held back`, `${count} held`];
  return sync.state === "failed" ? [`${count} sync failed`, `${count} failed`] : [count];
}

/** An incomplete sum is marked. */
function costText(cost: FooterFacts["cost"]): string {
  if (cost === undefined || cost.dollars === 0) return "";
  return `${shortCost(cost.dollars)}${cost.complete ? "" : "+"}`;
}

/** "$0.42 of $1.10": this path, and all branches together. Less than a cent is not shown. */
function costForms(path: FooterFacts["cost"], session: FooterFacts["sessionCost"]): readonly string[] {
  const here = costText(path);
  const all = costText(session);
  if (session === undefined || session.dollars - (path?.dollars ?? 0) < 0.005 || all === here) return [here];
  return [`${here === "" ? shortCost(0) : here} of ${all}`, all];
}

function lastFolder(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== "") ?? folder;
}

/** Names from elsewhere: escaped, and cut to leave room. */
function cutName(name: string, most: number, mark: string): string {
  return cutToWidth(firstWords(name), most, mark);
}
