/** The strip shown while a summary is being written. */
import type { AgentEvent } from "@bough/agent/agent/index.js";
import { branchOf, type CommandContext } from "../../command/index.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { movePanel } from "./move-panel.js";

interface SummaryWatch {
  readonly host: PanelHost;
  readonly context: CommandContext;
  readonly onEvent: (listener: (event: AgentEvent) => void) => () => void;
}

const SECOND = 1000;

/**
 * Shows the strip whenever a branch summary is being written, whatever started it. Esc stops it, and the leaf stays
 * where it was. Returns the unsubscribe function.
 */
export function watchSummaries({ host, context, onEvent }: SummaryWatch): () => void {
  let close: (() => void) | undefined;
  const unsubscribe = onEvent((event) => {
    if (event.type === "summary_start" && event.purpose === "branch") {
      close?.();
      void host.open<void>((done) => {
        close = () => done();
        return progressPanel(host, context);
      });
    } else if (event.type === "summary_end") {
      close?.();
      close = undefined;
    }
  });
  return () => {
    unsubscribe();
    close?.();
  };
}

function progressPanel(host: PanelHost, context: CommandContext): Panel {
  const { agent } = context;
  const leafId = agent.session.getLeafId();
  const branch = leafId === null ? { number: 1, name: "" } : branchOf(context, leafId);
  const question = { branch, entries: 0, tokens: 0, files: 0, preferred: "none", target: "" } as const;
  const started = host.now();
  const ticking = setInterval(() => host.redraw(), SECOND);
  ticking.unref();
  return movePanel(host, {
    name: "summary-progress",
    question,
    phase: () => ({ kind: "progress", seconds: Math.floor((host.now() - started) / SECOND) }),
    answers: { stay: () => agent.abort() },
    off: "A summary is being written.",
    dispose: () => clearInterval(ticking),
  });
}
