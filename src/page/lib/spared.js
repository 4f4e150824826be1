// Says if fault rules apply to the requests of this page, as to those of programs. By default they do not:
// with a throttled page it is harder to find out what throttles the program.
import { signal } from "@preact/signals";

export const faultsHitPage = signal(false);
