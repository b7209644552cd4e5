/** Paths that Wrangler asks for and that are not served: what to say instead of that they are unknown. */
import { workerCodes } from '../codes/workers.ts';
import { type Fault, fault } from '../fault.ts';

const account = '/accounts/[0-9a-f]{32}';

const unserved: readonly (readonly [path: RegExp, what: string])[] = [
  [new RegExp(`^${account}/workflows(?:/|$)`), 'workflows of the account are not served yet'],
  [
    new RegExp(`^${account}/workers/scripts/[^/]+/(?:subdomain/)?edge-preview`),
    'a Worker cannot be developed remotely: run wrangler dev without --remote',
  ],
];

/** As Wrangler writes paths. Other spellings of what is served are unknown, whatever they begin with. */
const plain = /^(?:\/(?!\.)[\w.~-]+)+$/;

/** `path` is that below the base URL. Undefined if nothing is known about it. */
export function explainUnserved(path: string): Fault | undefined {
  if (!plain.test(path)) return undefined;
  const found = unserved.find(([pattern]) => pattern.test(path));
  return found && fault(workerCodes.unsupported, { fill: { what: found[1] } });
}
