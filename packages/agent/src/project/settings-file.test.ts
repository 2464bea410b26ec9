import { expect, it } from "vitest";
import type { z } from "zod";
import type { SettingsFile } from "./settings-file.js";
import { settingsFileSchema } from "./settings-schema.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T;

it("the type of a settings file has the fields of the schema, with their types", () => {
  // Checked by the compiler: the type is hand-written, so that the declarations do not import zod's.
  const same: Same<Flat<z.infer<typeof settingsFileSchema>>, Flat<SettingsFile>> = true;
  expect([same, Object.keys(settingsFileSchema.shape).length > 10]).toEqual([true, true]);
});
