/** The module `cloudflare:workflows` for a Worker. */
export { NonRetryableError } from '#bindings';
