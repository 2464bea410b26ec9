/** What extensions find under `@earendil-works/pi-agent-core`: mostly types, which do not exist at run time. */
import { uuidv7 } from "./ai/small-helpers.js";
import { convertToLlm, serializeConversation } from "./coding-agent/conversation.js";
import * as estimates from "./coding-agent/estimates.js";
import * as truncate from "./coding-agent/truncate.js";
import { allUnsupported } from "./unsupported.js";

export const piAgentCore: Readonly<Record<string, unknown>> = {
  ...estimates,
  ...truncate,
  convertToLlm,
  serializeConversation,
  uuidv7,
  ...allUnsupported(
    ["Agent", "AgentHarness", "agentLoop", "agentLoopContinue", "runAgentLoop", "runAgentLoopContinue", "streamProxy"],
    "Use createAgentSession from bough/agent.",
  ),
};
