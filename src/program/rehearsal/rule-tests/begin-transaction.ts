import { realClock } from '#base';
import type { readRawRequest, Refusal } from '#edge';
import type { RecordedRequest } from '../traffic/recorded-request.ts';
import { type PersistentCollections, type RuleSet, Transaction } from '#seclang';

type RawRequest = Exclude<ReturnType<typeof readRawRequest>, Refusal>;

interface TransactionOptions {
  readonly collections: PersistentCollections;
  /** Whether rules may stop the request. */
  readonly engine: 'on' | 'detection-only';
}

/** A transaction of a request that was parsed as by the edge, or recorded. */
export function beginTransaction(
  {
    method,
    target,
    httpVersion,
    headers,
    body,
    ip,
  }: (RawRequest | RecordedRequest) & { readonly ip?: string },
  rules: RuleSet,
  { collections, engine }: TransactionOptions,
): Transaction {
  return new Transaction(
    rules,
    {
      method,
      target,
      protocol: `HTTP/${httpVersion}`,
      headers,
      body: body?.toString('latin1') ?? '',
      clientAddress: ip ?? '127.0.0.1',
      clientPort: 40_000,
      serverAddress: '127.0.0.1',
      serverPort: 80,
      country: '',
      id: 'test',
    },
    { engine, collections, clock: realClock },
  );
}
