/** One secret of each known shape, and records to put them into. */
import type { Scanned } from "./scan-batch.js";

export const NOTHING = { environment: {} };

/** Characters of an alphabet, the same every time, so that nothing here looks like somebody's key. */
export function random(
  length: number,
  alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  seed = 7,
): string {
  let state = seed * 7919 + length;
  let text = "";
  while (text.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648;
    text += alphabet[Math.floor((state / 2147483648) * alphabet.length)];
  }
  return text;
}

const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Put together from parts, so that no scanner of repositories takes them for real ones. */
export const SHAPES: Readonly<Record<string, string>> = {
  "AWS access key id": `AKIA${random(16, UPPER)}`,
  "AWS session key id": `ASIA${random(16, UPPER, 3)}`,
  "Google API key": `AIza${random(35)}`,
  "Google OAuth token": `ya29.${random(60)}`,
  "Google OAuth secret": `GOCSPX-${random(28)}`,
  "Anthropic key": `sk-ant-${"api03"}-${random(90)}AA`,
  "OpenAI project key": `sk-${"proj"}-${random(80)}`,
  "OpenAI key": `sk-${random(48)}`,
  "OpenRouter key": `sk-${"or-v1"}-${random(64, HEX)}`,
  "Groq key": `gsk_${random(52)}`,
  "xAI key": `xai-${random(80)}`,
  "Hugging Face token": `hf_${random(34)}`,
  "Replicate token": `r8_${random(37)}`,
  "GitHub token": `ghp_${random(36)}`,
  "GitHub fine-grained token": `github_pat_${random(22)}_${random(59)}`,
  "GitLab token": `glpat-${random(20)}`,
  "npm token": `npm_${random(36)}`,
  "PyPI token": `pypi-${random(120)}`,
  "Slack token": `xoxb-${random(12, "0123456789")}-${random(12, "0123456789", 2)}-${random(24)}`,
  "Stripe key": `sk_${"live"}_${random(24)}`,
  "Stripe webhook secret": `whsec_${random(32)}`,
  "SendGrid key": `SG.${random(22)}.${random(43)}`,
  "Twilio key": `SK${random(32, HEX)}`,
  "Telegram token": `${random(9, "123456789")}:AA${random(33)}`,
  "DigitalOcean token": `dop_v1_${random(64, HEX)}`,
  "Shopify token": `shpat_${random(32, HEX)}`,
  "Vault token": `hvs.${random(90)}`,
  "Databricks token": `dapi${random(32, HEX)}`,
  "JSON web token": `eyJ${random(33)}.eyJ${random(60)}.${random(43)}`,
  "private key": `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----\n${random(300)}\n-----END OPENSSH ${"PRIVATE"} KEY-----`,
  "Azure account key": `AccountKey=${random(86)}==`,
  "password in a database address": `postgres://app:${random(16)}@db.internal:5432/app`,
  "bearer header": `Authorization: Bearer ${random(40)}`,
  "Slack webhook": `https://hooks.slack.com/services/T${random(8, UPPER)}/B${random(8, UPPER)}/${random(24)}`,
  "password in a settings file": `DB_PASSWORD=${random(20)}`,
};

/** What must not be left of each: its own random part. */
export function core(secret: string): string {
  const parts = secret.match(/[A-Za-z0-9]{12,}/g) ?? [secret];
  return parts.sort((a, b) => b.length - a.length)[0] as string;
}

/** Of a record that was masked, whatever it was before. */
export interface Fields {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly targetId: string;
  readonly data: unknown;
  readonly message: { readonly content: unknown };
}

export function prompt(content: string, id = "a1") {
  return {
    type: "message",
    id,
    parentId: null,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content, timestamp: 1 },
  } as Extract<Scanned, { type: "message" }>;
}

export function entry(message: object): Scanned {
  return { ...prompt(""), message } as unknown as Scanned;
}

export function custom(data: object): Scanned {
  return { type: "custom", id: "a1", parentId: null, timestamp: "", customType: "notes", data } as unknown as Scanned;
}
