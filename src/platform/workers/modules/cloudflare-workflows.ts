/** What `import … from 'cloudflare:workflows'` gives to a Worker. */
export { NonRetryableError } from '#bindings';
