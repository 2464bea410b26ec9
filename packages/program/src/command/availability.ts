/** Why a command cannot be used now, as the user is told. */
import type { Notice } from "@bough/session/text/index.js";
import type { CommandContext } from "./command.js";
import { readOnlySentence, SENTENCES } from "./sentences.js";

type Reason = (context: CommandContext) => string | Notice | undefined;

/** The first reason that holds. */
export function unless(...reasons: readonly Reason[]): Reason {
  return (context) => {
    for (const reason of reasons) {
      const said = reason(context);
      if (said !== undefined) return said;
    }
    return undefined;
  };
}

export const working: Reason = ({ agent, front }) =>
  agent.operation === undefined ? undefined : SENTENCES.working(front, agent.operation);

export const readOnly: Reason = ({ agent }) => {
  const reason = agent.session.getReadOnlyReason();
  return reason === undefined ? undefined : readOnlySentence(reason.message);
};

export const empty: Reason = ({ agent }) => {
  return agent.session.getSource().tree.count === 0 ? SENTENCES.nothingHere : undefined;
};

/** What a move needs. */
export const cannotMove = unless(empty, working, readOnly);
