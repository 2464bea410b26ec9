import { ModelError } from "../model-error.js";

/** Imports a package that users install themselves. If it is missing, the error says how to install it. */
export async function optionalPackage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ModelError("missing-package", `The package ${name} is not installed`, {
      data: { package: name },
      hint: `Install it next to Bough: npm install -g ${name}`,
      cause: error,
    });
  }
}
