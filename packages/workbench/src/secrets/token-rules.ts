/** Secrets recognized by their own characters, as a table of patterns and titles. */

export interface SecretRule {
  readonly id: string;
  /** Human-readable name. */
  readonly title: string;
  readonly pattern: RegExp;
  /**
   * What must not come before it: a letter or digit, and for `name` also a hyphen or underscore, because many names end
   * like it (`cache-key-…`). Checked after a match: a pattern that starts with literal letters is fastest.
   */
  readonly begins?: "word" | "name";
  /** Nothing is tried unless the text contains this. */
  readonly needs?: string;
  /** Final check of a match: the pattern alone also matches placeholders. */
  readonly accepts?: (value: string) => boolean;
}

/** A hyphen or underscore may follow, as in the name of a file or branch: `backup-ghp_…-old.tar`. */
const END = "(?![A-Za-z0-9])";
/** Longer than any token. Without a limit, a text that repeats the start of a token would take quadratic time. */
const LONGEST = 4096;

function token(id: string, title: string, body: string, begins: SecretRule["begins"] = "word"): SecretRule {
  const pattern = new RegExp(`${body.replaceAll(",}", `,${LONGEST}}`)}${END}`, "g");
  return { id, title, pattern, begins, accepts: isNotPlaceholder };
}

export const TOKEN_RULES: readonly SecretRule[] = [
  token("aws-access-key-id", "AWS access key id", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
  token("aws-bedrock-key", "Amazon Bedrock key", "ABSK[0-9A-Za-z+/]{60,}={0,2}"),
  token("google-api-key", "Google API key", "AIza[0-9A-Za-z_-]{35}"),
  token("google-oauth-token", "Google OAuth token", "ya29\\.[0-9A-Za-z_-]{20,}"),
  token("google-oauth-secret", "Google OAuth secret", "GOCSPX-[0-9A-Za-z_-]{28}"),
  token("anthropic-key", "Anthropic key", "sk-ant-[a-z0-9]{2,8}-[0-9A-Za-z_-]{20,}"),
  token("openai-key", "OpenAI key", "sk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{20,}"),
  token("openai-key", "OpenAI key", "sk-[0-9A-Za-z]{32,}"),
  token("langfuse-key", "Langfuse key", "sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  token("openrouter-key", "OpenRouter key", "sk-or-v1-[0-9a-f]{40,}"),
  token("groq-key", "Groq key", "gsk_[0-9A-Za-z]{40,}"),
  token("xai-key", "xAI key", "xai-[0-9A-Za-z]{40,}"),
  token("perplexity-key", "Perplexity key", "pplx-[0-9A-Za-z]{40,}"),
  token("fireworks-key", "Fireworks key", "fw_[0-9A-Za-z]{20,}"),
  token("cerebras-key", "Cerebras key", "csk-[0-9a-z]{40,}"),
  token("together-key", "Together key", "tgp_v1_[0-9A-Za-z_-]{40,}"),
  token("nvidia-key", "NVIDIA key", "nvapi-[0-9A-Za-z_-]{40,}"),
  token("tavily-key", "Tavily key", "tvly-[0-9A-Za-z-]{24,}"),
  token("firecrawl-key", "Firecrawl key", "fc-[0-9a-f]{32}"),
  token("langsmith-key", "LangSmith key", "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
  token("elevenlabs-key", "ElevenLabs key", "sk_[0-9a-f]{48}"),
  token("hugging-face-token", "Hugging Face token", "(?:hf|api_org)_[0-9A-Za-z]{30,}"),
  token("replicate-token", "Replicate token", "r8_[0-9A-Za-z]{30,}"),
  token("github-token", "GitHub token", "gh[pousr]_[0-9A-Za-z]{30,}"),
  token("github-token", "GitHub token", "github_pat_[0-9A-Za-z_]{40,}"),
  token("gitlab-token", "GitLab token", "gl(?:pat|ptt|rt|cbt|soat|ft|dt|imt|agent)-[0-9A-Za-z_-]{20,}"),
  token("gitlab-runner-token", "GitLab runner token", "GR1348941[0-9A-Za-z_-]{20}"),
  token("atlassian-token", "Atlassian token", "ATATT3[0-9A-Za-z_=-]{60,}"),
  token("bitbucket-password", "Bitbucket app password", "ATBB[0-9A-Za-z]{28,}"),
  token("npm-token", "npm token", "npm_[0-9A-Za-z]{36}"),
  token("pypi-token", "PyPI token", "pypi-[0-9A-Za-z_-]{50,}"),
  token("rubygems-key", "RubyGems key", "rubygems_[0-9a-f]{48}"),
  token("crates-token", "crates.io token", "cio[0-9A-Za-z]{32}"),
  token("nuget-key", "NuGet key", "oy2[a-z0-9]{43}"),
  token("clojars-token", "Clojars token", "CLOJARS_[0-9a-z]{60}"),
  token("docker-token", "Docker token", "dckr_(?:pat|oat)_[0-9A-Za-z_-]{24,}"),
  token("jfrog-key", "JFrog key", "AKCp[0-9A-Za-z]{60,}"),
  token("slack-token", "Slack token", "xox[abeoprs]-[0-9A-Za-z-]{10,}"),
  token("slack-token", "Slack token", "xapp-[0-9]-[0-9A-Za-z-]{20,}"),
  token("stripe-key", "Stripe key", "(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,}"),
  token("stripe-webhook-secret", "Stripe webhook secret", "whsec_[0-9A-Za-z]{24,}"),
  token("square-token", "Square token", "sq0(?:atp|csp)-[0-9A-Za-z_-]{22,}"),
  token("razorpay-key", "Razorpay key", "rzp_(?:live|test)_[0-9A-Za-z]{14,}"),
  token("flutterwave-key", "Flutterwave key", "FLWSECK(?:_TEST)?-[0-9A-Za-z]{12,}-X"),
  token("plaid-token", "Plaid token", "access-(?:sandbox|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  token("shippo-token", "Shippo token", "shippo_(?:live|test)_[0-9a-f]{40}"),
  token("easypost-key", "EasyPost key", "EZ[AT]K[0-9A-Za-z]{54}"),
  token("sendgrid-key", "SendGrid key", "SG\\.[0-9A-Za-z_-]{16,}\\.[0-9A-Za-z_-]{16,}"),
  token("brevo-key", "Brevo key", "xkeysib-[0-9a-f]{64}-[0-9A-Za-z]{16}"),
  token("mailchimp-key", "Mailchimp key", "[0-9a-f]{32}-us[0-9]{1,2}"),
  token("mailgun-key", "Mailgun key", "key-[0-9a-f]{32}", "name"),
  token("resend-key", "Resend key", "re_[0-9A-Za-z]{8}_[0-9A-Za-z]{24}"),
  token("twilio-key", "Twilio key", "SK[0-9a-f]{32}"),
  token("telegram-token", "Telegram token", "[0-9]{8,10}:AA[0-9A-Za-z_-]{33}"),
  token("discord-token", "Discord token", "[MN][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}"),
  token("facebook-token", "Facebook token", "EAA[A-Z][0-9A-Za-z]{60,}"),
  token("twitter-token", "Twitter bearer token", "AAAAAAAAAAAAAAAAAAAA[0-9A-Za-z%]{50,}"),
  token("dropbox-token", "Dropbox token", "sl\\.[0-9A-Za-z_-]{100,}"),
  token("hubspot-token", "HubSpot token", "pat-(?:na|eu)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  token("airtable-token", "Airtable token", "pat[0-9A-Za-z]{14}\\.[0-9a-f]{64}"),
  token("clickup-token", "ClickUp token", "pk_[0-9]{6,9}_[0-9A-Z]{32}"),
  token("figma-token", "Figma token", "fig[dou]r?_[0-9A-Za-z_-]{36,}"),
  token("linear-key", "Linear key", "lin_(?:api|oauth)_[0-9A-Za-z]{32,}"),
  token("notion-token", "Notion token", "(?:ntn|secret)_[0-9A-Za-z]{40,}"),
  token("typeform-token", "Typeform token", "tfp_[0-9A-Za-z_-]{40,}"),
  token("contentful-token", "Contentful token", "CFPAT-[0-9A-Za-z_-]{40,}"),
  token("mapbox-token", "Mapbox secret token", "sk\\.eyJ[0-9A-Za-z_-]{40,}\\.[0-9A-Za-z_-]{20,}"),
  token("shopify-token", "Shopify token", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
  token("digitalocean-token", "DigitalOcean token", "do[opr]_v1_[0-9a-f]{64}"),
  token("cloudflare-key", "Cloudflare origin key", "v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}"),
  token("fly-token", "Fly.io token", "(?:fm[12]r?|fo1)_[0-9A-Za-z+/=_-]{40,}"),
  token("netlify-token", "Netlify token", "nf[pcou]_[0-9A-Za-z]{36}"),
  token("heroku-key", "Heroku key", "HRKU-[0-9A-Za-z_-]{36,}"),
  token("render-key", "Render key", "rnd_[0-9A-Za-z]{28,}"),
  token("planetscale-token", "PlanetScale token", "pscale_(?:tkn|pw|oauth)_[0-9A-Za-z._-]{32,}"),
  token("neon-key", "Neon key", "napi_[0-9a-z]{40,}"),
  token("mongodb-atlas-secret", "MongoDB Atlas secret", "mdb_sa_sk_[0-9A-Za-z_-]{36,}"),
  token("supabase-token", "Supabase token", "sb(?:p_[0-9a-f]{40}|_secret_[0-9A-Za-z_-]{24,})"),
  token("pulumi-token", "Pulumi token", "pul-[0-9a-f]{40}"),
  token("terraform-token", "Terraform Cloud token", "[0-9A-Za-z]{14}\\.atlasv1\\.[0-9A-Za-z_=-]{60,}"),
  token("vault-token", "Vault token", "hv[sbr]\\.[0-9A-Za-z_-]{24,}"),
  token("doppler-token", "Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[0-9A-Za-z.]{40,}"),
  token("onepassword-token", "1Password token", "ops_eyJ[0-9A-Za-z_+/=-]{100,}"),
  token("databricks-token", "Databricks token", "dapi[0-9a-f]{32}"),
  token("sentry-token", "Sentry token", "sntry(?:s_eyJ[0-9A-Za-z_+/=-]{60,}|u_[0-9a-f]{64})"),
  token("new-relic-key", "New Relic key", "NR(?:AK|RA|II|JS|IQ)-[0-9A-Za-z_-]{19,}"),
  token("grafana-token", "Grafana token", "glsa_[0-9A-Za-z]{32}_[0-9a-fA-F]{8}"),
  token("grafana-token", "Grafana Cloud token", "glc_eyJ[0-9A-Za-z+/=]{40,}"),
  token("dynatrace-token", "Dynatrace token", "dt0[a-z][0-9]{2}\\.[0-9A-Z]{24}\\.[0-9A-Z]{64}"),
  token("honeycomb-key", "Honeycomb key", "hc[abxmlp]ik_[0-9a-z]{58}"),
  token("posthog-key", "PostHog personal key", "phx_[0-9A-Za-z]{40,}"),
  token("postman-key", "Postman key", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
  token("sonar-token", "Sonar token", "sq[pua]_[0-9a-f]{40}"),
  token("circleci-token", "CircleCI token", "CCI(?:PAT|PRJ)_[0-9A-Za-z]{20,}_[0-9a-f]{40}"),
  token("buildkite-token", "Buildkite token", "bk(?:ua|ct|pt)_[0-9a-f]{40}"),
  token("launchdarkly-key", "LaunchDarkly key", "(?:sdk|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  token("alibaba-key-id", "Alibaba Cloud key id", "LTAI[0-9A-Za-z]{20}"),
  token("tencent-key-id", "Tencent Cloud key id", "AKID[0-9A-Za-z]{32}"),
  token("yandex-key", "Yandex Cloud key", "(?:AQVN[0-9A-Za-z_-]{35,38}|y[0-3]_[0-9A-Za-z_-]{50,})"),
  token("google-refresh-token", "Google refresh token", "1//0[0-9A-Za-z_-]{40,}"),
  token("google-api-key", "Gemini authorization key", "AQ\\.[0-9A-Za-z_-]{40,}"),
  token("azure-client-secret", "Azure client secret", "[0-9A-Za-z_~.-]{3}[0-9]Q~[0-9A-Za-z_~.-]{31,34}"),
  token("azure-devops-token", "Azure DevOps token", "[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}"),
  token("gitlab-token", "GitLab application secret", "gloas-[0-9a-f]{64}"),
  token("sourcegraph-token", "Sourcegraph token", "sgp_(?:(?:local|[0-9a-f]{16})_)?[0-9a-f]{40}"),
  token("snyk-token", "Snyk token", "snyk_(?:uat|sat)\\.[0-9a-f]{8}\\.[0-9A-Za-z._-]{40,}"),
  token("tailscale-key", "Tailscale key", "tskey-(?:auth|api|client|scim|webhook)-[0-9A-Za-z]{8,}-[0-9A-Za-z]{20,}"),
  token("openshift-token", "OpenShift token", "sha256~[0-9A-Za-z_-]{43}"),
  token("vercel-token", "Vercel token", "vercel_blob_rw_[0-9A-Za-z]{16}_[0-9A-Za-z]{24,}"),
  token("prefect-key", "Prefect key", "pn[ub]_[0-9a-z]{36}"),
  token("infracost-key", "Infracost key", "ico-[0-9A-Za-z]{32}"),
  token("readme-key", "ReadMe key", "rdme_[0-9a-z]{70}"),
  token("duffel-token", "Duffel token", "duffel_(?:live|test)_[0-9A-Za-z_-]{43}"),
  token("frameio-token", "Frame.io token", "fio-u-[0-9A-Za-z_=-]{64}"),
  token("asana-token", "Asana token", "[0-9]/[0-9]{15,17}(?:/[0-9]{15,17})?:[0-9a-f]{32}"),
  token("trello-token", "Trello token", "ATTA[0-9a-f]{64}[0-9A-Fa-f]{8}"),
  token("adyen-key", "Adyen key", "AQE[a-z]h[0-9A-Za-z+/=.-]{80,}"),
  token("braintree-token", "Braintree token", "access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}"),
  token("pinecone-key", "Pinecone key", "pcsk_[0-9A-Za-z]{5,8}_[0-9A-Za-z]{50,}"),
  token("llamacloud-key", "LlamaCloud key", "llx-[0-9A-Za-z]{40,}"),
  token("jina-key", "Jina key", "jina_[0-9a-f]{32}[0-9A-Za-z_-]{28}"),
  token("voyage-key", "Voyage key", "pa-[0-9A-Za-z_-]{43}", "name"),
  token("e2b-key", "E2B key", "e2b_[0-9a-f]{40}"),
  token("browserbase-key", "Browserbase key", "bb_(?:live|test)_[0-9A-Za-z_-]{27,}"),
  token("cursor-key", "Cursor key", "(?:key|crsr)_[0-9a-f]{64}", "name"),
  token("helicone-key", "Helicone key", "(?:sk|pk)-helicone-[0-9a-z]{7}(?:-[0-9a-z]{7}){3}"),
  token("wandb-key", "Weights & Biases key", "wandb_v1_[0-9A-Za-z_-]{40,}"),
  token("anyscale-key", "Anyscale key", "esecret_[0-9a-z]{26}"),
  token("grafana-token", "Grafana key", "eyJrIjoi[0-9A-Za-z]{60,}={0,2}"),
  {
    // No list of prefixes is complete. Most tokens are a short name, a separator, and a long mix of letters and digits.
    id: "unknown-token",
    title: "value that looks like a token",
    pattern: new RegExp(`[a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,8}){0,2}[_-][0-9A-Za-z]{32,200}${END}`, "g"),
    begins: "name",
    accepts: isTokenLike,
  },
  token("age-key", "age key", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  // A password hash can be brute-forced, and is worth as much as the password if that is short.
  token("password-hash", "password hash", "\\$(?:2[aby]|5|6|apr1|argon2id?|y)\\$[0-9A-Za-z./$=,]{20,}"),
  // The long limit is for tokens that list all groups of a user.
  token(
    "json-web-token",
    "JSON web token",
    "eyJ[0-9A-Za-z_-]{10,1024}\\.eyJ[0-9A-Za-z_-]{10,32768}\\.[0-9A-Za-z_-]{20,}",
  ),
];

const PLACEHOLDER =
  /^(?:(?:my)?(?:password|passwd|secret|pass|token)$|x{3,}|\*{3,}|\.{3,}|•+)|(?:example|sample|placeholder|changeme|change-me|your[-_]|dummy|redacted|masked|fake|1234567|abcdefg|\$\{|process\.env|os\.environ|<[a-z])/i;

/** False for placeholders and for values with hardly any distinct characters. */
export function isNotPlaceholder(value: string): boolean {
  return !PLACEHOLDER.test(value) && new Set(value).size >= 5;
}

/** Rejects checksums, which have similar prefixes, and names of built files, which consist of words. */
function isTokenLike(value: string): boolean {
  const body = /[0-9A-Za-z]*$/.exec(value)?.[0] ?? "";
  if (!isNotPlaceholder(value) || /^(?:sha|md|crc|blake|xxh)[0-9]*[_-]/.test(value)) return false;
  const digits = body.match(/[0-9]/g)?.length ?? 0;
  const isMixed = /[A-Z]/.test(body) && /[a-z]/.test(body) && digits >= 3;
  // Joined words have one capital after several lowercase letters; random characters alternate all the time.
  const changes = body.match(/[a-z][A-Z0-9]|[A-Z0-9][a-z]|[A-Z][0-9]|[0-9][A-Z]/g)?.length ?? 0;
  return isMixed && changes >= body.length / 4;
}
