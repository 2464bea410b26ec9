/** For other rooms; programs use `index.ts`. */
export { modelInputSteps } from "./model-input.js";
