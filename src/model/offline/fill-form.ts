/** An answer in a form, by rules: what there is to say goes into the first text, everything else is as little as allowed. */
import { isRecord } from "../../text/index.js";

/** A value that fits most JSON Schemas; what it cannot fit is found by whoever checks it. */
export function fillForm(schema: unknown, text: string): unknown {
  let left: string | undefined = text;
  const fill = (part: unknown): unknown => {
    if (!isRecord(part)) return null;
    const { type, properties, required, items, minItems, minimum, anyOf, oneOf } = part;
    if ("const" in part) return part.const;
    if (Array.isArray(part.enum)) return part.enum[0];
    const [choice] = [anyOf, oneOf].filter(Array.isArray).flat();
    if (choice !== undefined) return fill(choice);
    switch (Array.isArray(type) ? type[0] : type) {
      case "object": {
        const wanted = Array.isArray(required) ? required : [];
        const fields = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => wanted.includes(name));
        return Object.fromEntries(fields.map(([name, field]) => [name, fill(field)]));
      }
      case "array":
        return Array.from({ length: typeof minItems === "number" ? minItems : 0 }, () => fill(items));
      case "string": {
        const said = left ?? "";
        left = undefined;
        return said;
      }
      case "number":
      case "integer":
        return typeof minimum === "number" ? Math.max(0, minimum) : 0;
      case "boolean":
        return false;
      default:
        return null;
    }
  };
  return fill(schema);
}
