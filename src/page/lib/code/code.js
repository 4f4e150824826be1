// Requests as source code, to be copied.
import { cli } from "./cli.js";
import { curl } from "./curl.js";
import { go } from "./go.js";
import { java } from "./java.js";
import { javascript } from "./javascript.js";
import { python } from "./python.js";

const writers = { cli, javascript, python, java, go, curl };

/** [[language, name], ...] */
export const languages = [["cli", "AWS CLI"], ["javascript", "JavaScript"], ["python", "Python"], ["java", "Java"], ["go", "Go"],
  ["curl", "curl"]];

/** Returns true if an operation answers in pages, of which a program may want all. */
export const hasPages = (operation) => operation === "Query" || operation === "Scan";

/**
 * Returns a program, or a command, that sends the request: `input` is the body of `operation`, as DynamoDB has it in JSON.
 * `allPages`: it reads on until there are no more, if the operation has pages; `Limit` is then the size of a page.
 * `accessKeyId` chooses the world; no secret is ever written. Returns undefined if the language has no text for it: for Java and
 * Go if a member is not known (shapes.js).
 */
export const codeOf = (language, operation, input, endpoint, region, accessKeyId = "any", allPages = false) =>
  writers[language](operation, input, { endpoint, region, accessKeyId, allPages: allPages && hasPages(operation) });
