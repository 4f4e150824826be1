// AWS Signature Version 4 of a POST to "/", by WebCrypto.
const encoder = new TextEncoder();
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));

async function hmac(key, text) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return crypto.subtle.sign("HMAC", imported, encoder.encode(text));
}

async function signingKey(secret, scope) {
  let key = encoder.encode("AWS4" + secret);
  for (const part of scope) key = await hmac(key, part);
  return key;
}

/** Returns `headers` and what signs them: X-Amz-Date, the session token if there is one, and Authorization. */
export async function signed(headers, body, { accessKeyId, secretAccessKey, sessionToken, region }, now = new Date()) {
  if (!globalThis.crypto?.subtle) {
    throw new Error("The browser signs requests only on pages of this machine (localhost) and over HTTPS.");
  }
  const moment = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = [moment.slice(0, 8), region, "dynamodb", "aws4_request"];
  const sent = { ...headers, "x-amz-date": moment };
  if (sessionToken) sent["x-amz-security-token"] = sessionToken;

  const all = { ...sent, host: location.host };
  const names = Object.keys(all).sort();
  const lines = names.map((name) => `${name}:${all[name]}\n`).join("");
  const canonical = ["POST", "/", "", lines, names.join(";"), await sha256(body)].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", moment, scope.join("/"), await sha256(canonical)].join("\n");
  const signature = hex(await hmac(await signingKey(secretAccessKey, scope), toSign));
  const credential = [accessKeyId, ...scope].join("/");
  sent.authorization =
    `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return sent;
}

/** Returns the headers of a client whose signature is not verified. */
export function claimed(headers, { accessKeyId, region }) {
  const moment = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const credential = `${accessKeyId || "page"}/${moment.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  return {
    ...headers,
    "x-amz-date": moment,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date;x-amz-target, Signature=none`,
  };
}
