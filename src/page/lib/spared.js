// Whether fault rules see the requests of this page, like those of programs. They do not, unless somebody wants to see what that
// is like: a throttled page helps nobody to find out what throttles the program.
import { signal } from "@preact/signals";

export const faultsHitPage = signal(false);
