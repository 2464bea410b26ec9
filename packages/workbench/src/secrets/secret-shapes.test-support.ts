/** One secret of each known shape, and records to put them into. */
import type { Scanned } from "./scan-batch.js";

export const NOTHING = { environment: {} };

/** Pseudorandom characters of an alphabet, the same on every run, so that nothing here looks like a real key. */
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

const LOWER = "abcdefghijklmnopqrstuvwxyz0123456789";

function uuid(seed: number): string {
  return [8, 4, 4, 4, 12].map((length, i) => random(length, HEX, seed * 31 + i)).join("-");
}

/** Assembled from parts, so that no repository scanner takes them for real secrets. */
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
  "AWS key id with any digits": `AKIA${random(8, "0189")}${random(8, UPPER, 5)}`,
  "Amazon Bedrock key": `ABSK${random(120)}=`,
  "Langfuse key": `sk-lf-${uuid(1)}`,
  "Perplexity key": `pplx-${random(48)}`,
  "Fireworks key": `fw_${random(24)}`,
  "Cerebras key": `csk-${random(48, LOWER)}`,
  "Together key": `tgp_v1_${random(43)}`,
  "NVIDIA key": `nvapi-${random(64)}`,
  "Tavily key": `tvly-${random(32)}`,
  "Firecrawl key": `fc-${random(32, HEX)}`,
  "LangSmith key": `lsv2_pt_${random(32, HEX)}_${random(10, HEX)}`,
  "ElevenLabs key": `sk_${random(48, HEX)}`,
  "Hugging Face organisation token": `api_org_${random(34)}`,
  "GitHub app token": `ghs_${random(36)}`,
  "GitLab deploy token": `gldt-${random(20)}`,
  "GitLab runner token": `GR1348941${random(20)}`,
  "Atlassian token": `ATATT3${random(180)}`,
  "Bitbucket app password": `ATBB${random(32)}`,
  "RubyGems key": `rubygems_${random(48, HEX)}`,
  "crates.io token": `cio${random(32)}`,
  "NuGet key": `oy2${random(43, LOWER)}`,
  "Clojars token": `CLOJARS_${random(60, LOWER)}`,
  "Docker token": `dckr_pat_${random(27)}`,
  "JFrog key": `AKCp${random(69)}`,
  "Slack app token": `xapp-1-A${random(10, UPPER)}-${random(13, "0123456789")}-${random(64, HEX)}`,
  "Square token": `sq0atp-${random(22)}`,
  "Razorpay key": `rzp_${"live"}_${random(14)}`,
  "Flutterwave key": `FLWSECK-${random(32)}-X`,
  "Plaid token": `access-${"production"}-${uuid(2)}`,
  "Shippo token": `shippo_${"live"}_${random(40, HEX)}`,
  "EasyPost key": `EZAK${random(54)}`,
  "Brevo key": `xkeysib-${random(64, HEX)}-${random(16)}`,
  "Mailchimp key": `${random(32, HEX)}-us12`,
  "Resend key": `re_${random(8)}_${random(24)}`,
  "Discord token": `M${random(24)}.${random(6)}.${random(38)}`,
  "Facebook token": `EAAC${random(120)}`,
  "Twitter bearer token": `${"A".repeat(20)}${random(80)}`,
  "Dropbox token": `sl.${random(130)}`,
  "HubSpot token": `pat-na1-${uuid(3)}`,
  "Airtable token": `pat${random(14)}.${random(64, HEX)}`,
  "ClickUp token": `pk_${random(8, "123456789")}_${random(32, UPPER)}`,
  "Figma token": `figd_${random(40)}`,
  "Linear key": `lin_api_${random(40)}`,
  "Notion token": `ntn_${random(46)}`,
  "Typeform token": `tfp_${random(44)}`,
  "Contentful token": `CFPAT-${random(43)}`,
  "Mapbox secret token": `sk.eyJ${random(60)}.${random(22)}`,
  "Cloudflare origin key": `v1.0-${random(24, HEX)}-${random(146, HEX)}`,
  "Fly.io token": `fm2_${random(120)}`,
  "Netlify token": `nfp_${random(36)}`,
  "Heroku key": `HRKU-${random(60)}`,
  "Render key": `rnd_${random(32)}`,
  "PlanetScale token": `pscale_tkn_${random(43)}`,
  "Neon key": `napi_${random(64, LOWER)}`,
  "MongoDB Atlas secret": `mdb_sa_sk_${random(40)}`,
  "Supabase token": `sbp_${random(40, HEX)}`,
  "Supabase secret key": `sb_secret_${random(31)}`,
  "Pulumi token": `pul-${random(40, HEX)}`,
  "Terraform Cloud token": `${random(14)}.atlasv1.${random(67)}`,
  "Vault batch token": `hvb.${random(100)}`,
  "Doppler token": `dp.pt.${random(43)}`,
  "1Password token": `ops_eyJ${random(250)}`,
  "Sentry token": `sntrys_eyJ${random(120)}`,
  "Sentry user token": `sntryu_${random(64, HEX)}`,
  "Sentry address": `https://${random(32, HEX)}@o123456.ingest.sentry.io/42`,
  "New Relic key": `NRAK-${random(27, UPPER)}`,
  "Grafana token": `glsa_${random(32)}_${random(8, HEX)}`,
  "Grafana Cloud token": `glc_eyJ${random(80)}`,
  "Dynatrace token": `dt0c01.${random(24, UPPER)}.${random(64, UPPER)}`,
  "Honeycomb key": `hcaik_${random(58, LOWER)}`,
  "PostHog key": `phx_${random(43)}`,
  "Postman key": `PMAK-${random(24, HEX)}-${random(34, HEX)}`,
  "Sonar token": `sqp_${random(40, HEX)}`,
  "CircleCI token": `CCIPAT_${random(22)}_${random(40, HEX)}`,
  "Buildkite token": `bkua_${random(40, HEX)}`,
  "LaunchDarkly key": `sdk-${uuid(4)}`,
  "age key": `AGE-SECRET-KEY-1${random(58, UPPER)}`,
  "bcrypt hash": `$2b$12$${random(53)}`,
  "shadow hash": `$6$${random(16)}$${random(86)}`,
  "cookie of a request": `Cookie: session=${random(40)}; theme=dark`,
  "cookie of an answer": `set-cookie: sid=${random(32)}; Path=/; HttpOnly`,
  "kube config key": `    client-key-data: ${random(400)}==`,
  "registry login": `"auth": "${random(40)}=="`,
  "netrc line": `machine api.internal login deploy password ${random(18)}`,
  "WireGuard key": `PrivateKey = ${random(43)}=`,
  "password of curl": `curl -sS -u deploy:${random(16)} https://api.internal/v1`,
  "password of mysql": `mysql -h db -u root -p${random(14)} app`,
  "password of sshpass": `sshpass -p ${random(14)} ssh host`,
  "password of redis-cli": `redis-cli -h cache -a ${random(20)} ping`,
  "password as a flag": `deploy --password ${random(20)} --now`,
  "Discord webhook": `https://discord.com/api/webhooks/${random(18, "123456789")}/${random(68)}`,
  "Teams webhook": `https://corp.webhook.office.com/webhookb2/${uuid(5)}@${uuid(6)}/IncomingWebhook/${random(32, HEX)}/${uuid(7)}`,
  "signed address": `https://bucket.internal/file?X-Amz-Date=20260101&X-Amz-Signature=${random(64, HEX)}`,
  "password in a settings file": `DB_PASSWORD=${random(20)}`,
  "Alibaba Cloud key id": `LTAI${random(20)}`,
  "Tencent Cloud key id": `AKID${random(32)}`,
  "Yandex Cloud key": `AQVN${random(36)}`,
  "Google refresh token": `1//0${random(60)}`,
  "Gemini authorization key": `AQ.${random(52)}`,
  "Azure client secret": `${random(3)}8Q~${random(34)}`,
  "Azure DevOps token": `${random(76)}AZDO${random(4)}`,
  "Azure shared access signature": `https://acc.blob.core.windows.net/c/f?sv=2024-11-04&sp=rl&sig=${random(43)}%3D`,
  "GitLab application secret": `gloas-${random(64, HEX)}`,
  "Sourcegraph token": `sgp_${random(16, HEX)}_${random(40, HEX)}`,
  "Snyk token": `snyk_uat.${random(8, HEX)}.${random(60)}`,
  "Tailscale key": `tskey-auth-${random(12)}-${random(32)}`,
  "OpenShift token": `sha256~${random(43)}`,
  "Vercel blob token": `vercel_blob_rw_${random(16)}_${random(32)}`,
  "Prefect key": `pnu_${random(36, LOWER)}`,
  "Infracost key": `ico-${random(32)}`,
  "ReadMe key": `rdme_${random(70, LOWER)}`,
  "Duffel token": `duffel_${"live"}_${random(43)}`,
  "Frame.io token": `fio-u-${random(64)}`,
  "Asana token": `1/${random(16, "123456789")}:${random(32, HEX)}`,
  "Trello token": `ATTA${random(64, HEX)}${random(8, HEX, 3)}`,
  "Adyen key": `AQEyh${random(90)}`,
  "Braintree token": `access_token$${"production"}$${random(16, LOWER)}$${random(32, HEX)}`,
  "Pinecone key": `pcsk_${random(6)}_${random(64)}`,
  "LlamaCloud key": `llx-${random(48)}`,
  "Jina key": `jina_${random(32, HEX)}${random(28)}`,
  "E2B key": `e2b_${random(40, HEX)}`,
  "Browserbase key": `bb_${"live"}_${random(27)}`,
  "Helicone key": `sk-helicone-${random(7, LOWER)}-${random(7, LOWER, 2)}-${random(7, LOWER, 3)}-${random(7, LOWER, 4)}`,
  "Weights & Biases key": `wandb_v1_${random(60)}`,
  "Anyscale key": `esecret_${random(26, LOWER)}`,
  "Grafana key of the older kind": `eyJrIjoi${random(80)}=`,
  "Vault token of the older kind": `VAULT_TOKEN=s.${random(24)}`,
  "AWS secret key": `aws_secret_access_key = ${random(40)}`,
  "npmrc line": `//npm.internal/:_authToken=${uuid(8)}`,
  "Okta header": `Authorization: SSWS 00${random(40)}`,
  "key in a header": `X-Api-Key: ${random(32, HEX)}`,
  "digest of a proxy": `Proxy-Authorization: Basic ${random(40)}==`,
  "password of a JDBC address": `jdbc:postgresql://db/app?user=app&password=${random(18)}`,
  "password of a connection string": `Server=db;Database=app;User Id=app;Password=${random(18)};`,
  "password in XML": `<password>${random(18)}</password>`,
  "password before a command": `PGPASSWORD=${random(16)} psql -h db`,
  "password of docker login": `docker login -u ci -p ${random(24)} registry.internal`,
  "password of openssl": `openssl enc -d -in f -passin pass:${random(16)}`,
  "secret of a second factor": `otpauth://totp/app:me?secret=${random(32, UPPER)}&issuer=app`,
  "private part of a JSON web key": `{"kty":"EC","crv":"P-256","d":"${random(43)}"}`,
  "PuTTY key": `Private-Lines: 2\n${random(64)}\n${random(40)}`,
  "secret key of Rails": `secret_key_base: ${random(128, HEX)}`,
};

/** Recognized only at the start of a name, not inside one. */
export const SHAPES_ALONE: Readonly<Record<string, string>> = {
  "Voyage key": `pa-${random(43)}`,
  "Cursor key": `key_${random(64, HEX)}`,
  "Mailgun key": `key-${random(32, HEX)}`,
  "pgpass line": `db.internal:5432:app:deploy:${random(16)}`,
};

/** The random part of a secret, which must not survive masking. */
export function core(secret: string): string {
  const parts = secret.match(/[A-Za-z0-9]{12,}/g) ?? [secret];
  return parts.sort((a, b) => b.length - a.length)[0] as string;
}

/** Fields of a masked record of any kind. */
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
