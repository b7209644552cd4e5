/** Rules and requests for tests. */
import { realClock } from '#base';
import { loadRules } from './load-rules.ts';
import type { RuleSet } from './rule-set.ts';
import { PersistentCollections } from './run/persistent-collections.ts';
import { runLogging, runRequest } from './run/run-phase.ts';
import type { SecRequest } from './sec-request.ts';
import { Transaction } from './run/transaction.ts';

export function load(text: string, data: Readonly<Record<string, string>> = {}): RuleSet {
  return loadRules({
    files: [{ name: 'rules.conf', text }],
    readData: (name) => {
      const found = data[name];
      if (found === undefined) throw new Error(`there is no file ${name}`);
      return found;
    },
  });
}

export function requestOf(change: Partial<SecRequest> = {}): SecRequest {
  return {
    method: 'GET',
    target: '/',
    protocol: 'HTTP/1.1',
    headers: [['Host', 'shop.example']],
    body: '',
    clientAddress: '192.0.2.1',
    clientPort: 40_000,
    serverAddress: '127.0.0.1',
    serverPort: 80,
    country: 'NL',
    id: 'ray',
    ...change,
  };
}

export function formOf(body: string): SecRequest {
  return requestOf({
    method: 'POST',
    headers: [
      ['Host', 'shop.example'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    body,
  });
}

export function judge(
  rules: RuleSet | string,
  request: SecRequest,
  collections = new PersistentCollections(realClock),
  isPlain = false,
): Transaction {
  const set = typeof rules === 'string' ? load(rules) : rules;
  const transaction = new Transaction(set, request, { engine: 'on', collections, clock: realClock, isPlain });
  runRequest(transaction);
  runLogging(transaction);
  return transaction;
}

export const idsOf = ({ matched }: Transaction): number[] => matched.map(({ rule }) => rule.id);
