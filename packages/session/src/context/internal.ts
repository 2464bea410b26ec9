/** For other rooms; programs use `index.ts`. */
export { editMessage } from "./growing-context.js";
export { modelInputSteps } from "./model-input.js";
export { MCP_CALL } from "./sent-names.js";
