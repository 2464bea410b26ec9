/** Other agents that do the turns of a session, over the Agent Client Protocol. */
export { type AcpDriverOptions, acpDriver } from "./acp-driver.js";
export type {
  Driver,
  DriverAnswer,
  DriverCall,
  DriverChoice,
  DriverChoices,
  DriverLimits,
  DriverModes,
  DriverOption,
  DriverOptionName,
  DriverPrompt,
  DriverQuestion,
  DriverUpdate,
  DriverValue,
  FileEdit,
  LateListener,
  LoadedNative,
  LoadOptions,
  NativeFacts,
  OpenDriver,
  OpenDriverOptions,
  TurnEnd,
} from "./driver.js";
export { DRIVER_ERROR_CODES, DriverError, type DriverErrorCode } from "./driver-error.js";
export { driverNamed, KNOWN_AGENTS, type KnownAgent, knownAgent } from "./known-agents.js";
export type { MadeToAsk, MakeAsk } from "./made-to-ask.js";
