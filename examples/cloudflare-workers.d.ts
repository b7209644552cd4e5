/** Types of the module that Gatehouse provides at run time; a project of yours would use `wrangler types`. */
declare module 'cloudflare:workers' {
  export { DurableObject } from '#objects';
}
