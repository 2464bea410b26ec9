/** Asks for a provider's key: not echoed, checked, saved. */
import { authPath, keySavedText, saveCheckedKey, type UserModelRegistry } from "@bough/agent/model/index.js";
import { ended, shownPath } from "@bough/session/text/index.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

interface KeyRequest {
  readonly provider: string;
  /** For providers that need one to check a key. */
  readonly model: string | undefined;
}

/** Saves nothing unless the provider accepted the key. */
export async function enterKey(
  context: CommandContext,
  registry: UserModelRegistry,
  { provider, model }: KeyRequest,
): Promise<CommandOutcome> {
  const { front } = context;
  if (front.askSecret === undefined) return unchanged(SENTENCES.noKeyHere(provider));
  const key = await front.askSecret({
    title: `Key for ${provider}`,
    note: "Checked with the provider, then stored in auth.json in Bough's folder, readable only by you. Sent only to this provider.",
  });
  if (key === undefined || key.trim() === "") return unchanged(SENTENCES.loginCancelled);
  return saveKey(context, registry, { provider, model, key });
}

/** Checks a key with its provider. Saves nothing unless it was accepted. */
export async function saveKey(
  { front, home }: CommandContext,
  registry: UserModelRegistry,
  { provider, model: id, key }: KeyRequest & { readonly key: string },
): Promise<CommandOutcome> {
  const model = id === undefined ? undefined : registry.resolve(`${provider}/${id}`);
  const work = (signal: AbortSignal) => saveCheckedKey(registry, { provider, key, model, signal });
  const title = () => `Checking the key with ${provider}`;
  const outcome =
    front.watch === undefined
      ? ({ kind: "done", value: await work(new AbortController().signal) } as const)
      : await front.watch({ title, stops: "nothing is saved", work });
  if (outcome.kind === "stopped") return unchanged(SENTENCES.loginCancelled);
  const saving = outcome.value;
  if (saving.kind === "needs-model") return unchanged(SENTENCES.keyNeedsModel(provider), "needs-model");
  if (saving.kind === "refused") {
    const { message, hint, reason: kind } = saving.failure;
    // A wrong key is asked for again, so no hint is needed.
    const refusal = { message: ended(message), hint: kind === "wrong-key" ? undefined : hint };
    return unchanged(SENTENCES.keyNotSaved(refusal), "login-failed");
  }
  const first = saving.variable === undefined ? "" : ` ${saving.variable} is set and takes precedence.`;
  const message = `${keySavedText(saving, shownPath(authPath(home)))}.${first}`;
  return { kind: "done", message, data: { provider } };
}
