const KEY_SHAPES = [
  /\b(?:sk|pk|rk|gsk|xai|tgp|hf|nvapi)[-_][A-Za-z0-9_*.-]{6,}/g,
  /\bAIza[0-9A-Za-z_*-]{10,}/g,
  /\bBearer\s+\S+/gi,
  /([?&](?:key|api_key)=)[^&\s"]+/gi,
] as const;

/** Removes the key and anything that looks like one. Providers quote keys in their error messages. */
export function redactKeys(text: string, key: string | undefined): string {
  let clean = key === undefined || key.length < 4 ? text : text.split(key).join("[key]");
  for (const shape of KEY_SHAPES) {
    clean = clean.replace(shape, (_match, prefix: unknown) =>
      typeof prefix === "string" ? `${prefix}[key]` : "[key]",
    );
  }
  return clean;
}
