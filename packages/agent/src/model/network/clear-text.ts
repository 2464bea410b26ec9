import { isLoopback } from "@bough/session/text/index.js";

/** Whether requests to this address are unencrypted: plain http to another machine. */
export function isClearText(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}
