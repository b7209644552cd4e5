/** Judges of recorded requests: a server, or rules in SecLang. Those of managed rules are in the room `rehearsal`. */
import { realClock } from '#base';
import { PersistentCollections, type RuleSet, runRequest } from '#seclang';
import type { CorpusJudge } from './corpus.ts';
import { beginTransaction } from './begin-transaction.ts';
import { sendRaw, writeRequest } from './send-raw.ts';

export function createServerJudge(
  url: URL,
  stopping: ReadonlySet<number>,
  host: string | undefined,
): CorpusJudge {
  return async (request) => {
    const status = await sendRaw(url, writeRequest(request, host));
    if (status === undefined) return { id: 'closed', description: 'the server closed the connection' };
    return stopping.has(status)
      ? { id: String(status), description: 'the server answered with it' }
      : undefined;
  };
}

/** With the rules' own settings: a request is stopped if they deny it. */
export function createRuleJudge(rules: RuleSet): CorpusJudge {
  const collections = new PersistentCollections(realClock);
  return async (request) => {
    const transaction = beginTransaction(request, rules, { collections, engine: 'on' });
    runRequest(transaction);
    const { interruption, matched } = transaction;
    if (interruption === undefined) return undefined;
    // The rule that compares the score is not informative, unlike those that added to it.
    const first =
      matched.find(({ rule, message }) => rule !== interruption.rule && message !== '') ??
      matched.find(({ rule }) => rule === interruption.rule);
    return { id: String(first?.rule.id ?? interruption.rule.id), description: first?.message ?? '' };
  };
}
