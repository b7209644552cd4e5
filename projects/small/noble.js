import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export default {
  fetch: (request) =>
    new Response(bytesToHex(hmac(sha256, utf8ToBytes('key'), utf8ToBytes(new URL(request.url).pathname)))),
};
