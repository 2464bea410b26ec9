/** The model of `bough/testing`, under the name that tests of this package use. */
export * from "./testing/scripted-model.js";
