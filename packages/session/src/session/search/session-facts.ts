/** The facts that a search needs about the session of a hit, from the cheapest index that the log allows. */
import { basename } from "node:path";
import type { Log } from "../../log/index.js";
import type { Steps } from "../../text/index.js";
import { quickLoadSteps } from "../scan/quick-load.js";
import { SessionIndex } from "../scan/session-index.js";
import { sessionName } from "../session-name.js";
import { SessionStore } from "../session-store.js";
import { BranchStates } from "./branch-states.js";
import type { PlainIndex } from "./plain-index.js";

export interface SessionFacts {
  readonly id: string;
  readonly name: string | undefined;
  readonly states: BranchStates;
}

/** For a log in order; `undefined` for any other. What the index reads from must stay readable while these are used. */
export function* plainFacts(load: Steps<PlainIndex | undefined>): Steps<SessionFacts | undefined> {
  const index = yield* load;
  if (index === undefined) return undefined;
  // Read the leaf now, because an unreadable leaf makes the index odd.
  if (index.leaf >= 0) index.entryAt(index.leaf);
  const name = sessionName(index);
  yield;
  const facts = { id: index.header.id, name, states: yield* BranchStates.of(index) };
  yield;
  return index.isOdd() ? undefined : facts;
}

/** For any log: read as carefully as a session does. */
export function* storeFacts(log: Log, path: string): Steps<SessionFacts> {
  const id = basename(path, ".jsonl");
  const header = { type: "session", id, timestamp: "", cwd: "" } as const;
  const index = new SessionIndex(log);
  yield* index.loadSteps((yield* quickLoadSteps(log)) ?? null);
  const store = new SessionStore(log, { header, now: () => new Date(0), index });
  yield;
  const { tree } = store;
  const indexed = {
    ...store.pathSource(tree.loadedLeaf),
    // Reading an entry can reveal others hidden in its line.
    get count() {
      return tree.count;
    },
    offsetOf: (n: number) => tree.offsetOf(n),
  };
  return { id: store.header.id, name: store.name(), states: yield* BranchStates.of(indexed) };
}
