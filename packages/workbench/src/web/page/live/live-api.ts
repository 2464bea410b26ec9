/** Asks the server. The secret comes with the link, stays in this tab, and is sent in a header. */
import type { ErrorAnswer, GrownEvent } from "../../data/live-types.js";

const KEY = "bough-secret";

/** Takes the secret out of the address, so that it is in no history and in nothing that is copied from there. */
export function takeSecret(): string | undefined {
  const given = location.hash.slice(1);
  if (/^[A-Za-z0-9_-]{20,}$/.test(given)) {
    sessionStorage.setItem(KEY, given);
    const query = new URLSearchParams(location.search);
    const entry = query.get("e");
    query.delete("e");
    const search = query.size === 0 ? "" : `?${query}`;
    const hash = entry === null ? "" : `#e=${encodeURIComponent(entry)}`;
    history.replaceState(null, "", `${location.pathname}${search}${hash}`);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}` };
  const answer = await fetch(path, { headers, credentials: "omit", cache: "no-store", ...(signal ? { signal } : {}) });
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => undefined)) as ErrorAnswer | undefined;
  throw new Refused(answer.status, problem?.error.message ?? `The server answered ${answer.status}`);
}

export async function getJson<Answer>(path: string): Promise<Answer> {
  return (await (await ask(path)).json()) as Answer;
}

export type StreamState = "live" | "waiting" | "gone";

export interface StreamListener {
  readonly onGrown: (event: GrownEvent) => void;
  /** The session is another one now: everything must be read again. */
  readonly onReset: () => void;
  readonly onState: (state: StreamState) => void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;

/** Follows a session until the tab is closed. Reconnects exactly where it was: the cursor is all it keeps. */
export async function followSession(key: string, start: string, listener: StreamListener): Promise<void> {
  let cursor = start;
  let wait = FIRST_WAIT;
  for (;;) {
    try {
      const path = `/api/events?s=${key}&cursor=${encodeURIComponent(cursor)}`;
      const answer = await ask(path);
      listener.onState("live");
      for await (const { id, event, data } of eventsIn(answer)) {
        wait = FIRST_WAIT;
        if (event === "reset") {
          listener.onReset();
          return;
        }
        if (event === "entries") listener.onGrown(JSON.parse(data) as GrownEvent);
        if (id !== "") cursor = id;
      }
    } catch (error) {
      if (error instanceof Refused && (error.status === 401 || error.status === 404)) {
        listener.onState("gone");
        return;
      }
    }
    listener.onState("waiting");
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }
}

interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** An event counts once it is whole: one that was cut off is sent again. */
async function* eventsIn(answer: Response): AsyncGenerator<StreamEvent> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields: Record<string, string> = {};
      for (const line of text.slice(0, end).split("\n")) {
        const [, name = "", rest = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        if (name !== "") fields[name] = rest;
      }
      text = text.slice(end + 2);
      if (fields.event !== undefined) {
        yield { id: fields.id ?? "", event: fields.event, data: fields.data ?? "" };
      }
    }
  }
}
