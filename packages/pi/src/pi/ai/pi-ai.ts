/** What extensions find under `@earendil-works/pi-ai` and its `compat`. */

import { Type } from "typebox";
import { allUnsupported } from "../unsupported.js";
import {
  ask,
  complete,
  completeSimple,
  getApiProvider,
  getApiProviders,
  knownModels,
  ownApi,
  registerApiProvider,
  resetApiProviders,
  stream,
  streamSimple,
  unregisterApiProviders,
} from "./ask-model.js";
import { parseToolCallArguments, ToolCallArgumentsStream } from "./call-arguments.js";
import {
  type AssistantMessageEvent,
  AssistantMessageEventStream,
  createAssistantMessageEventStream,
  EventStream,
} from "./event-stream.js";
import {
  createFauxCore,
  fauxAssistantMessage,
  fauxProvider,
  fauxText,
  fauxThinking,
  fauxToolCall,
  registerFauxProvider,
} from "./faux-provider.js";
import {
  calculateCost,
  clampThinkingLevel,
  getSupportedThinkingLevels,
  hasApi,
  modelsAreEqual,
  type PiModel,
  toPiModel,
} from "./pi-model.js";
import { envApiKeyAuth, lazyOAuth } from "./provider-auth.js";
import {
  getOverflowPatterns,
  isContextOverflow,
  isRetryableAssistantError,
  parseStreamingJson,
  StringEnum,
  uuidv7,
} from "./small-helpers.js";
import * as transcript from "./transcript.js";
import { validateToolArguments, validateToolCall } from "./validate-arguments.js";

const { plainSchema: _, ...transcriptHelpers } = transcript;

function getModels(provider?: string): readonly PiModel[] {
  const models = knownModels().map(toPiModel);
  return provider === undefined ? models : models.filter((model) => model.provider === provider);
}

function getModel(provider: string, id: string): PiModel | undefined {
  return getModels(provider).find((model) => model.id === id);
}

function getProviders(): readonly string[] {
  return [...new Set(getModels().map(({ provider }) => provider))];
}

const variables = (provider: string): readonly string[] => [
  ...(provider === "google" ? ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"] : []),
  `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`,
];

function findEnvKeys(provider: string, env: NodeJS.ProcessEnv = process.env): readonly string[] | undefined {
  const set = variables(provider).filter((name) => (env[name] ?? "") !== "");
  return set.length === 0 ? undefined : set;
}

function getEnvApiKey(provider: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const [name] = findEnvKeys(provider, env) ?? [];
  return name === undefined ? undefined : env[name];
}

/** Creates a provider for `registerProvider` from its parts. */
function createProvider(parts: {
  readonly id: string;
  readonly name?: string;
  readonly models: readonly PiModel[];
  readonly api: ReturnType<typeof ownApi> | Readonly<Record<string, ReturnType<typeof ownApi>>>;
}): object {
  const { id, name = id, models, api } = parts;
  const streams = (model: PiModel): ReturnType<typeof ownApi> => {
    const found = "streamSimple" in api ? api : (api as Readonly<Record<string, ReturnType<typeof ownApi>>>)[model.api];
    return (found as ReturnType<typeof ownApi> | undefined) ?? ownApi(model.api);
  };
  return {
    ...parts,
    id,
    name,
    getModels: () => models,
    stream: (...[model, context, options]: Parameters<typeof streamSimple>) =>
      streams(model).stream(model, context, options),
    streamSimple: (...[model, context, options]: Parameters<typeof streamSimple>) =>
      streams(model).streamSimple(model, context, options),
  };
}

const OWN_APIS: Readonly<Record<string, string>> = {
  Anthropic: "anthropic-messages",
  OpenAIResponses: "openai-responses",
  OpenAICompletions: "openai-completions",
  Google: "google-generative-ai",
};

/** `streamAnthropic`, `streamSimpleAnthropic` and so on: each uses its own protocol, whatever the model says. */
const protocolStreams = Object.fromEntries(
  Object.entries(OWN_APIS).flatMap(([name, api]) => [
    [`stream${name}`, ownApi(api).stream],
    [`streamSimple${name}`, ownApi(api).streamSimple],
  ]),
);

/** Returns a stream at once for work that needs setup first. */
function lazyStream(model: PiModel, setup: () => Promise<AsyncIterable<AssistantMessageEvent>>) {
  const lazy = { api: model.api, stream: () => started(), streamSimple: () => started() };
  async function* started(): AsyncGenerator<AssistantMessageEvent> {
    yield* await setup();
  }
  return ask({ model, context: { messages: [] }, options: {}, opened: () => lazy });
}

const noOAuth = "Pass `oauth` to registerProvider.";
const noImages = "Bough has no image generation.";
const notSpoken = "Bough supports anthropic-messages, openai-responses, openai-completions and google-generative-ai.";

export const piAi: Readonly<Record<string, unknown>> = {
  Type,
  StringEnum,
  uuidv7,
  EventStream,
  AssistantMessageEventStream,
  createAssistantMessageEventStream,
  ...transcriptHelpers,
  calculateCost,
  clampThinkingLevel,
  getSupportedThinkingLevels,
  hasApi,
  modelsAreEqual,
  getOverflowPatterns,
  isContextOverflow,
  isRetryableAssistantError,
  parseStreamingJson,
  parseJsonWithRepair: parseStreamingJson,
  parseToolCallArguments,
  ToolCallArgumentsStream,
  validateToolArguments,
  validateToolCall,
  stream,
  streamSimple,
  complete,
  completeSimple,
  getModel,
  getModels,
  getProviders,
  getBuiltinModel: getModel,
  getBuiltinModels: getModels,
  getBuiltinProviders: getProviders,
  findEnvKeys,
  getEnvApiKey,
  registerApiProvider,
  getApiProvider,
  getApiProviders,
  unregisterApiProviders,
  resetApiProviders,
  createProvider,
  lazyStream,
  envApiKeyAuth,
  lazyOAuth,
  ...protocolStreams,
  anthropicMessagesApi: () => ownApi("anthropic-messages"),
  openAIResponsesApi: () => ownApi("openai-responses"),
  openAICompletionsApi: () => ownApi("openai-completions"),
  googleGenerativeAIApi: () => ownApi("google-generative-ai"),
  ...allUnsupported(
    [
      "azureOpenAIResponsesApi",
      "bedrockConverseStreamApi",
      "googleVertexApi",
      "mistralConversationsApi",
      "piMessagesApi",
    ],
    notSpoken,
  ),
  ...allUnsupported(["InMemoryCredentialStore", "getOAuthProvider", "registerOAuthProvider"], noOAuth),
  ...allUnsupported(["createImagesModels", "createImagesProvider", "generateImages"], noImages),
  createFauxCore,
  fauxAssistantMessage,
  fauxProvider,
  fauxText,
  fauxThinking,
  fauxToolCall,
  registerFauxProvider,
  ...allUnsupported(["createModels", "lazyApi", "retryAssistantCall", "ModelsError"], "Use ctx.modelRegistry."),
};
