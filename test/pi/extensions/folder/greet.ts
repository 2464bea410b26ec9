import { truncateLine } from "@earendil-works/pi-coding-agent";

export const greet = (name: string): string => truncateLine(`Good morning, ${name}`, 15).text;
