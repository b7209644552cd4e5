/**
 * Workers code passes a stream as the body of a request and says nothing about `duplex`; Node insists on it. The only
 * value there is means what the Workers platform does anyway: the answer comes when the body has been sent.
 */
export function allowStreamBody(init: RequestInit | null | undefined): RequestInit | undefined {
  if (init === null || init === undefined) return undefined;
  const { body, duplex } = init as { readonly body?: unknown; readonly duplex?: unknown };
  if (duplex !== undefined || !isStream(body)) return init;
  // Not a copy: the fields of `init` may be getters of its class. And not over `init`: that may be frozen.
  return new Proxy<RequestInit>(
    {},
    {
      get: (_target, name) => (name === 'duplex' ? 'half' : (Reflect.get(init, name) as unknown)),
      has: (_target, name) => name === 'duplex' || Reflect.has(init, name),
    },
  );
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
