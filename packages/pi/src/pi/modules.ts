/** The modules behind pi's names. Loading this file loads all of them. */
import * as typebox from "typebox";
import * as compile from "typebox/compile";
import * as value from "typebox/value";
import { piAgentCore } from "./agent-core.js";
import { piAi } from "./ai/pi-ai.js";
import { piCodingAgent } from "./coding-agent/pi-coding-agent.js";
import { piTui } from "./terminal/pi-tui.js";

const PARTS: Readonly<Record<string, unknown>> = {
  "pi-coding-agent": piCodingAgent,
  "pi-tui": piTui,
  "pi-ai": piAi,
  "pi-ai/compat": piAi,
  "pi-ai/oauth": piAi,
  "pi-ai/providers/all": piAi,
  "pi-agent-core": piAgentCore,
};

/** The schema library with which pi's tools describe their input. */
const SCHEMA_MODULES: Readonly<Record<string, unknown>> = {
  typebox,
  "typebox/compile": compile,
  "typebox/value": value,
};

/** Modules by import name, under pi's current and older scopes and the names of the schema library. */
export const PI_MODULES: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ["@earendil-works", "@mariozechner"].flatMap((scope) =>
      Object.entries(PARTS).map(([name, module]) => [`${scope}/${name}`, module]),
    ),
  ),
  ...SCHEMA_MODULES,
  ...Object.fromEntries(
    Object.entries(SCHEMA_MODULES).map(([name, module]) => [name.replace(/^typebox/, "@sinclair/typebox"), module]),
  ),
};
