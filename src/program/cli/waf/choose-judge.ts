/**
 * Chooses how to evaluate the requests of a corpus: by managed rules of a plan, by rules in SecLang, or by a server.
 */
import { readFileSync } from 'node:fs';
import type { Plan } from '#rulesets';
import {
  type CorpusJudge,
  createPlanJudge,
  createRuleJudge,
  createServerJudge,
  RehearsalError,
} from '#rehearsal';
import type { RuleSet } from '#seclang';
import { type Arguments, CommandError, UsageError } from '../command.ts';

export function chooseJudge(args: Arguments, loadRules: () => RuleSet): CorpusJudge {
  const { url, rules, plan = 'pro' } = args.values;
  if (url !== undefined) return createServerJudge(readUrl(url), readStopping(args), args.values['host']);
  if (rules !== undefined) return createRuleJudge(loadRules());
  return createPlanJudge(plan as Plan);
}

/** The managed rules with exceptions before them, to see what those let through. */
export function chooseExceptedJudge(args: Arguments): CorpusJudge | undefined {
  const { except: file, plan = 'pro', url, rules } = args.values;
  if (file === undefined) return undefined;
  if (url !== undefined || rules !== undefined) {
    throw new UsageError('--except applies to managed rules: it cannot be combined with --url or --rules');
  }
  const exceptions = [readJson(file)].flat() as readonly unknown[];
  try {
    return createPlanJudge(plan as Plan, exceptions);
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

/** The statuses by which the server reports that it has stopped a request. */
export function readStopping(args: Arguments): ReadonlySet<number> {
  const written = args.repeated['stopped-status'] ?? ['403'];
  return new Set(
    written.map((text) => {
      if (/^[1-5]\d\d$/.test(text)) return Number(text);
      throw new UsageError(`--stopped-status must be a status from 100 to 599: ${text}`);
    }),
  );
}
