import { realClock } from '#base';
import type { readRawRequest, Refusal } from '#edge';
import { type PersistentCollections, type RuleSet, Transaction } from '#seclang';

type RawRequest = Exclude<ReturnType<typeof readRawRequest>, Refusal>;

/** A transaction of a request that was read as the edge reads one. */
export function beginTransaction(
  { method, target, httpVersion, headers, body }: RawRequest,
  rules: RuleSet,
  collections: PersistentCollections,
): Transaction {
  return new Transaction(
    rules,
    {
      method,
      target,
      protocol: `HTTP/${httpVersion}`,
      headers,
      body: body.toString('latin1'),
      clientAddress: '127.0.0.1',
      clientPort: 40_000,
      serverAddress: '127.0.0.1',
      serverPort: 80,
      country: '',
      id: 'test',
    },
    { engine: 'detection-only', collections, clock: realClock },
  );
}
