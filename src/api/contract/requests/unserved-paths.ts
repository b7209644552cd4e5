/** Paths that Wrangler requests and that are not served: an explanation instead of an error about an unknown path. */
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

/** Paths as Wrangler spells them. Other spellings of served paths are unknown, whatever their prefix. */
const plain = /^(?:\/(?!\.)[\w.~-]+)+$/;

/** `path` is relative to the base URL. Undefined if there is no explanation. */
export function explainUnserved(path: string): Fault | undefined {
  if (!plain.test(path)) return undefined;
  const found = unserved.find(([pattern]) => pattern.test(path));
  return found && fault(workerCodes.unsupported, { fill: { what: found[1] } });
}
