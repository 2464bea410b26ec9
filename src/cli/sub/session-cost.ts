/** What a session has cost, as far as its entries say. */
import { SessionManager } from "../../session/index.js";

export interface SessionCost {
  /** What is known to have been spent. */
  readonly dollars: number;
  /** Model calls whose price is not known. */
  readonly unpriced: number;
}

/** Reads every entry once and keeps none. */
export function dollarsOf(file: string): SessionCost {
  const session = SessionManager.open(file, undefined, { readOnly: true, cacheBytes: 0 });
  try {
    const { tree, entryAt } = session.getSource();
    let dollars = 0;
    let unpriced = 0;
    for (let n = 0; n < tree.count; n++) {
      const entry = entryAt(n) as { readonly usage?: unknown; readonly message?: { readonly usage?: unknown } };
      const usage = (entry.message?.usage ?? entry.usage) as { cost?: { total?: unknown } } | undefined;
      if (typeof usage !== "object" || usage === null) continue;
      const total = usage.cost?.total;
      if (typeof total === "number" && Number.isFinite(total)) dollars += total;
      else unpriced += 1;
    }
    return { dollars, unpriced };
  } finally {
    session.close();
  }
}
