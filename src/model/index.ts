/** Language models: registry, catalogue, adapters to the AI SDK, the built-in offline model. */
export * from "./language-model.js";
export * from "./model-registry.js";
