/**
 * The probes, by name. A probe is one small story whose end is compared between two runtimes; three forms:
 *
 * - a function: it runs inside a fresh object of each class in `on` and gets that object's tools;
 * - `{ run, steps?, construct?, alarm? }`: `run` is in the stateless worker and reaches a fresh object through
 *   stubs, `steps` are what it may ask the object to do, `construct` and `alarm` are the object's own;
 *   so are `message`, `close` and `error`, which its sockets with hibernation call;
 * - `{ before, after, steps? }`: like `run`, but both servers are killed and started again between the two.
 *
 * `on` says which kind of class: 'sql', or 'kv' (compared with the original's in-memory key-value machine,
 * or, with `disk: true`, with what it uses on disk). `slow: true` starts a probe early, because it waits.
 * `variants` names the configurations of `variants.ts` that it is asked under; '' is the usual one.
 */

const probes = new Map();

export function area(title, options, table) {
  for (const [name, body] of Object.entries(table)) {
    const key = `${title}: ${name}`;
    if (probes.has(key)) throw new Error(`two probes are called ${key}`);
    const form = typeof body === 'function' ? { inside: body } : body;
    probes.set(key, { on: ['sql'], ...options, ...form, area: title });
  }
}

/** The probe an object belongs to: its name is the probe's, with `#` and a label for a second object. */
export function probeOf(objectName) {
  return probes.get(objectName?.split('#')[0]);
}

/** What the harness needs to plan its questions. */
export function catalogue() {
  return Array.from(
    probes,
    ([name, { area: title, on, disk = false, slow = false, variants = [''], after }]) => ({
      name,
      area: title,
      on,
      disk,
      slow,
      variants,
      restarts: after !== undefined,
    }),
  );
}
