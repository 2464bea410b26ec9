/** What only a session with another agent needs is loaded then. */
import type { Driver } from "@bough/agent/driver/index.js";
import type { AgreeParts, DriverAgreement } from "./agree-to-driver.js";

/** See `agree-to-driver.ts`. */
export async function agreeToDriver(driver: Driver, parts: AgreeParts): Promise<DriverAgreement> {
  const { agreeToDriver: agree } = await import("./agree-to-driver.js");
  return agree(driver, parts);
}
