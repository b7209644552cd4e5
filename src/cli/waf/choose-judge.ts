/** Who judges the requests of a corpus: managed rules of a plan, rules in SecLang, or a server. */
import { realClock } from '#base';
import { readFileSync } from 'node:fs';
import { createPlanJudge, type RecordedRequest, RehearsalError } from '#rehearsal';
import { PersistentCollections, type RuleSet, runRequest, Transaction } from '#seclang';
import { type Arguments, CommandError, UsageError } from '../command.ts';
import type { CorpusJudge } from './corpus.ts';
import { sendRaw, writeRequest } from './send-raw.ts';

export const plans = ['free', 'pro', 'business', 'enterprise'] as const;

export function chooseJudge(args: Arguments, loadRules: () => RuleSet): CorpusJudge {
  const { url, rules, plan = 'pro' } = args.values;
  if (url !== undefined) return createServerJudge(readUrl(url), readStopping(args), args.values['host']);
  if (rules !== undefined) return createRuleJudge(loadRules());
  return createPlanJudge(plan as (typeof plans)[number]);
}

/** The managed rules with exceptions in front of them, to see what these let through. */
export function chooseExceptedJudge(args: Arguments): CorpusJudge | undefined {
  const { except: file, plan = 'pro', url, rules } = args.values;
  if (file === undefined) return undefined;
  if (url !== undefined || rules !== undefined) {
    throw new UsageError('--except is about managed rules: it does not go with --url and --rules');
  }
  const exceptions = [readJson(file)].flat() as readonly unknown[];
  try {
    return createPlanJudge(plan as (typeof plans)[number], exceptions);
  } catch (error) {
    if (error instanceof RehearsalError)
      throw new CommandError(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`--except: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

export function readUrl(written: string): URL {
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url must be a URL that begins with http:// or https://: ${written}`);
  }
  return url;
}

/** The statuses with which the server says that it has stopped a request. */
export function readStopping(args: Arguments): ReadonlySet<number> {
  const written = args.repeated['stopped-status'] ?? ['403'];
  return new Set(
    written.map((text) => {
      if (/^[1-5]\d\d$/.test(text)) return Number(text);
      throw new UsageError(`--stopped-status must be a status from 100 to 599: ${text}`);
    }),
  );
}

function createServerJudge(url: URL, stopping: ReadonlySet<number>, host: string | undefined): CorpusJudge {
  return async (request) => {
    const status = await sendRaw(url, writeRequest(request, host));
    if (status === undefined) return { id: 'closed', description: 'the server closed the connection' };
    return stopping.has(status)
      ? { id: String(status), description: 'the server answered with it' }
      : undefined;
  };
}

/** As the rules are set up: they stop a request where they deny it. */
function createRuleJudge(rules: RuleSet): CorpusJudge {
  const collections = new PersistentCollections(realClock);
  return async (request) => {
    const transaction = new Transaction(rules, toSecRequest(request), {
      engine: 'on',
      collections,
      clock: realClock,
    });
    runRequest(transaction);
    const { interruption, matched } = transaction;
    if (interruption === undefined) return undefined;
    // The rule that compares the score says nothing; those that added to it do.
    const first =
      matched.find(({ rule, message }) => rule !== interruption.rule && message !== '') ??
      matched.find(({ rule }) => rule === interruption.rule);
    return { id: String(first?.rule.id ?? interruption.rule.id), description: first?.message ?? '' };
  };
}

function toSecRequest({ method, target, headers, httpVersion, body, ip }: RecordedRequest) {
  return {
    method,
    target,
    protocol: `HTTP/${httpVersion}`,
    headers,
    body: body?.toString('latin1') ?? '',
    clientAddress: ip,
    clientPort: 40_000,
    serverAddress: '127.0.0.1',
    serverPort: 80,
    country: '',
    id: 'test',
  };
}
