/** The page of one session, following it live. */
import type { TreeAnswer } from "../../data/live-types.js";
import { startPage } from "../start-page.js";
import { PageStore } from "../state/page-store.js";
import { followSession, getJson, type StreamState } from "./live-api.js";
import { LiveSource } from "./live-source.js";

export interface SessionViewOptions {
  readonly key: string;
  readonly root: HTMLElement;
  readonly onTitle: (title: string) => void;
  readonly onState: (state: StreamState) => void;
}

/** How far from the end a reader still follows it. */
const NEAR_END = 120;

export async function showSession({ key, root, onTitle, onState }: SessionViewOptions): Promise<void> {
  const answer = await getJson<TreeAnswer>(`/api/tree?s=${key}`);
  onTitle(answer.title || "Session");
  let store: PageStore | undefined;
  const source = new LiveSource(answer, () => store?.readAgain());
  store = new PageStore(source);
  const { set } = { set: (change: Parameters<PageStore["set"]>[0]) => store?.set(change) };
  startPage(store, root);
  const reset = (): void => location.reload();
  await followSession(key, answer.cursor, {
    onState,
    onReset: reset,
    onGrown: (event) => {
      const before = source.leaf;
      const isFollowing = store?.state.end === before && store.state.shows === "path";
      const isNear = isFollowing && isAtEnd();
      if (!source.grow(event)) {
        reset();
        return;
      }
      const many = event.rows.length;
      const announcement = `${many} new ${many === 1 ? "entry" : "entries"}.`;
      set({ ...(isFollowing ? { end: source.leaf } : {}), announcement });
      if (isNear) requestAnimationFrame(() => scrollToEnd());
    },
  });
}

function isAtEnd(): boolean {
  const scroller = document.getElementById("transcript");
  return scroller !== null && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END;
}

function scrollToEnd(): void {
  const scroller = document.getElementById("transcript");
  if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
}
