/**
 * Shapes of secrets, beside those that secretlint knows. A table: the pattern, and what it is called. Where a pattern
 * has a group named `value`, only that is the secret.
 */
import { withoutEncoding } from "./decoded-text.js";

export interface SecretRule {
  readonly id: string;
  /** As people say it. */
  readonly title: string;
  readonly pattern: RegExp;
  /**
   * What may stand before it: no letter or digit, or for a `name` no hyphen and underscore either, because many a name
   * ends like it (`cache-key-…`). Looked at afterwards: a pattern that begins with its own letters is found fastest.
   */
  readonly begins?: "word" | "name";
  /** A last look at what matched: shapes alone catch placeholders too. */
  readonly accepts?: (value: string) => boolean;
}

/** In the name of a file or a branch a token stands between hyphens and underscores: `backup-ghp_….tar`. */
const END = "(?![A-Za-z0-9])";
/** Stands between texts that have nothing to do with each other: a noncharacter of Unicode. */
export const TEXT_END = "\uffff";

/** Longer than any token. Without an end, a text that begins like one again and again would be read over and over. */
const LONGEST = 4096;

function token(id: string, title: string, body: string, begins: SecretRule["begins"] = "word"): SecretRule {
  const pattern = new RegExp(`${body.replaceAll(",}", `,${LONGEST}}`)}${END}`, "g");
  return { id, title, pattern, begins, accepts: isNoPlaceholder };
}

export const SECRET_RULES: readonly SecretRule[] = [
  token("aws-access-key-id", "AWS access key id", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
  token("google-api-key", "Google API key", "AIza[0-9A-Za-z_-]{35}"),
  token("google-oauth-token", "Google OAuth token", "ya29\\.[0-9A-Za-z_-]{20,}"),
  token("google-oauth-secret", "Google OAuth secret", "GOCSPX-[0-9A-Za-z_-]{28}"),
  token("anthropic-key", "Anthropic key", "sk-ant-[a-z0-9]{2,8}-[0-9A-Za-z_-]{20,}"),
  token("openai-key", "OpenAI key", "sk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{20,}"),
  token("openai-key", "OpenAI key", "sk-[0-9A-Za-z]{32,}"),
  token("openrouter-key", "OpenRouter key", "sk-or-v1-[0-9a-f]{40,}"),
  token("groq-key", "Groq key", "gsk_[0-9A-Za-z]{40,}"),
  token("xai-key", "xAI key", "xai-[0-9A-Za-z]{40,}"),
  token("hugging-face-token", "Hugging Face token", "hf_[0-9A-Za-z]{30,}"),
  token("replicate-token", "Replicate token", "r8_[0-9A-Za-z]{30,}"),
  token("github-token", "GitHub token", "gh[pousr]_[0-9A-Za-z]{30,}"),
  token("github-token", "GitHub token", "github_pat_[0-9A-Za-z_]{40,}"),
  token("gitlab-token", "GitLab token", "gl(?:pat|ptt|rt|cbt|soat|ft)-[0-9A-Za-z_-]{20,}"),
  token("npm-token", "npm token", "npm_[0-9A-Za-z]{36}"),
  token("pypi-token", "PyPI token", "pypi-[0-9A-Za-z_-]{50,}"),
  token("slack-token", "Slack token", "xox[abeoprs]-[0-9A-Za-z-]{10,}"),
  token("slack-token", "Slack token", "xapp-[0-9]-[0-9A-Za-z-]{20,}"),
  token("stripe-key", "Stripe key", "(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,}"),
  token("stripe-webhook-secret", "Stripe webhook secret", "whsec_[0-9A-Za-z]{24,}"),
  token("sendgrid-key", "SendGrid key", "SG\\.[0-9A-Za-z_-]{16,}\\.[0-9A-Za-z_-]{16,}"),
  token("twilio-key", "Twilio key", "SK[0-9a-f]{32}"),
  token("mailgun-key", "Mailgun key", "key-[0-9a-f]{32}", "name"),
  token("telegram-token", "Telegram token", "[0-9]{8,10}:AA[0-9A-Za-z_-]{33}"),
  token("discord-token", "Discord token", "[MN][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}"),
  token("digitalocean-token", "DigitalOcean token", "do[opr]_v1_[0-9a-f]{64}"),
  token("shopify-token", "Shopify token", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
  token("linear-key", "Linear key", "lin_(?:api|oauth)_[0-9A-Za-z]{32,}"),
  token("notion-token", "Notion token", "(?:ntn|secret)_[0-9A-Za-z]{40,}"),
  token("vault-token", "Vault token", "hvs\\.[0-9A-Za-z_-]{24,}"),
  token("databricks-token", "Databricks token", "dapi[0-9a-f]{32}"),
  token("doppler-token", "Doppler token", "dp\\.(?:pt|st|ct|sa)\\.[0-9A-Za-z]{40,}"),
  token("age-key", "age key", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  // Some carry all groups of a person.
  token(
    "json-web-token",
    "JSON web token",
    "eyJ[0-9A-Za-z_-]{10,1024}\\.eyJ[0-9A-Za-z_-]{10,32768}\\.[0-9A-Za-z_-]{20,}",
  ),
  {
    id: "private-key",
    title: "private key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[^\uffff]{20,20000}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    // Tools cut long output: the end may be missing.
    id: "private-key",
    title: "private key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"',+])*(?:[0-9A-Za-z+/=]{16,}(?:\\[nr]|[\s"',+])*)+/g,
  },
  {
    id: "azure-connection",
    title: "Azure account key",
    pattern: /(?:AccountKey|SharedAccessKey)=(?<value>[0-9A-Za-z+/]{40,}={0,2})/g,
  },
  {
    id: "password-in-address",
    title: "password in an address",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>]{0,80}:(?<value>[^\s:/'"`<>]{3,120})@[^\s@'"`<>]+/gi,
    accepts: isNoPlaceholder,
  },
  {
    // An encoded sign is what tells a password from a time or a port where no scheme stands before it.
    id: "password-in-address",
    title: "password in an address",
    pattern:
      /(?<=(?<![\w.%+@/-])[\w.%+-]{1,80}:)(?<value>[^\s:/@'"`<>]{0,80}%[2-7][0-9a-f][^\s:/@'"`<>]{0,80})@(?=[a-z0-9[])/gi,
    accepts: isNoPlaceholder,
  },
  {
    // Base64 in an address: its slashes, plus and equals signs are encoded. Words have none.
    id: "token-in-address",
    title: "token in an address",
    pattern:
      /[?&#](?:[\w-]{0,30}(?:token|secret|passw(?:or)?d|signature|sig|api[_-]?key|access[_-]?key|credential|auth))=(?<value>[^\s&#"'`<>%]{1,200}%(?:2b|2f|3d)[^\s&#"'`<>]{0,400})/gi,
    accepts: isNoPlaceholder,
  },
  {
    id: "authorization-header",
    title: "authorization header",
    pattern:
      /\bauthorization\\{0,7}["']?\s*[:=]\s*\\{0,7}["']?(?:bearer|basic|token)\s+(?<value>[0-9A-Za-z._~+/=-]{16,})/gi,
    accepts: isNoPlaceholder,
  },
  {
    id: "slack-webhook",
    title: "Slack webhook",
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/(?<value>[0-9A-Za-z/]{20,})/g,
  },
  {
    id: "assigned-secret",
    title: "value that is called a secret",
    // Before the word stands any name; letters and digits without end are no name, but data.
    pattern:
      /(?<![A-Za-z0-9]{31})(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|auth[_-]?key|client[_-]?secret)\\{0,7}["']?\s{0,3}(?::|=>?)\s{0,3}\\{0,7}["'`]?(?<value>[^\s"'`,;(){}[\]<>|&\\]{8,200})/gi,
    // The letters and digits of codes are nobody's: `next%20page` is two words.
    accepts: (value) => looksRandom(withoutEncoding(value)),
  },
];

const PLACEHOLDER =
  /^(?:x{3,}|\*{3,}|\.{3,}|•+)|(?:example|sample|placeholder|changeme|change-me|your[-_]|dummy|redacted|masked|fake|1234567|abcdefg|\$\{|process\.env|os\.environ|<[a-z])/i;

/** Neither a stand-in nor one character over and over. */
export function isNoPlaceholder(value: string): boolean {
  return !PLACEHOLDER.test(value) && new Set(value).size >= 5;
}

/** Letters and digits mixed as no word is. For names like `token` the shape of the value has to decide. */
function looksRandom(value: string): boolean {
  if (!isNoPlaceholder(value)) return false;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // Code: calls, members, versions, paths, and names with a number in them.
  if (
    /^[a-z_$][\w$]*\.[a-z_$]|^\d+(?:\.\d+)+|^[./~]|::|\/\/|^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|[_$])+\d{1,3}(?:[A-Z]?[a-z]{2,}|[_$])*$/.test(
      value,
    )
  )
    return false;
  return entropyOf(value) >= (value.length >= 20 ? 3.4 : 2.8);
}

/** Bits for each character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
