/** The module `cloudflare:workers` for a module whose objects are simulated: they have no Worker. */
export * from './cloudflare-workers.ts';

function refuse(name: string, instead: string): Error {
  return new Error(`${name} of cloudflare:workers is not there in a simulation: ${instead}`);
}

function refusing(name: string, instead: string): object {
  return new Proxy(
    {},
    {
      get: (_target, property) => {
        throw refuse(`${name}.${String(property)}`, instead);
      },
    },
  );
}

export const env = refusing('env', 'objects have this.env, and simulate() takes env');
export const exports = refusing('exports', 'objects have this.env with a namespace for each class');

export function waitUntil(): never {
  throw refuse('waitUntil()', 'objects have this.ctx.waitUntil()');
}
