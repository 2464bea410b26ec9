/** What any front end says while an agent starts and works. Loads no commands, which a single prompt does not need. */
export type { AgreeParts, DriverAgreement } from "./agent/agree-to-driver.js";
export { agreeToDriver } from "./agent/ask-to-agree.js";
export { OWN_AGENT } from "./agent/own-agent.js";
export { browserSignIn } from "./program/browser-sign-in.js";
export { jobEndedSentence } from "./program/job-ended.js";
export {
  grantedNotice,
  grantsEndedSentence,
  jobBlockedNotice,
  ruleKeptNotice,
  sandboxNotice,
} from "./program/permission-sentences.js";
export { extensionProblemSentence } from "./sentences.js";
