/** The flag that a hint needs so that it means the same store. */
import { chosenStore, type StorePlaces } from "../../../command/internal.js";

/** " --store pg", or "" if that is the default store. */
export async function storeFlag(places: StorePlaces, name: string): Promise<string> {
  // The settings may name a store that is gone: then none is the default.
  const standard = await chosenStore(places).catch(() => undefined);
  return standard?.name === name ? "" : ` --store ${name}`;
}
