/** When a failed model step is retried. */
import type { ModelFailure } from "../../model/index.js";
import type { RetrySettings } from "../../project/index.js";

type RetryPlan = { readonly kind: "wait"; readonly delayMs: number } | { readonly kind: "give-up" };

/** Whether and when to retry after attempt number `attempt`, counted from 1. */
export function planRetry(failure: ModelFailure, attempt: number, settings: RetrySettings): RetryPlan {
  if (!failure.retryable || attempt > settings.maxRetries) return { kind: "give-up" };
  if (failure.retryAfterMs !== undefined) {
    if (failure.retryAfterMs > settings.maxDelayMs) return { kind: "give-up" };
    return { kind: "wait", delayMs: Math.max(0, failure.retryAfterMs) };
  }
  return { kind: "wait", delayMs: Math.min(settings.maxDelayMs, settings.baseDelayMs * 2 ** (attempt - 1)) };
}
