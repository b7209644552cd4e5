/** How long the promises of `waitUntil()` may take after the answer, as on Cloudflare. */
export const waitUntilMsMax = 30_000;
