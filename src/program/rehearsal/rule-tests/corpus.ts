/** Requests from recordings, evaluated one after the other, and how often each rule was right. */
import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { StoppingRule } from '../plan-judge.ts';
import { RehearsalError } from '../rehearsal-error.ts';
import { openTraffic } from '../traffic/open-traffic.ts';
import type { RecordedRequest } from '../traffic/recorded-request.ts';
import { RuleTestError } from './rule-test-error.ts';

export type Expected = 'pass' | 'block';

/** The rule that stops a request; undefined if it passes. */
export type CorpusJudge = (request: RecordedRequest) => Promise<StoppingRule | undefined>;

interface RuleTally extends StoppingRule {
  /** Requests that should pass, but that it stopped. */
  falseAlarms: number;
  /** Requests that should be stopped, and that it stopped. */
  detected: number;
  /** Requests without an expected outcome. */
  others: number;
}

export interface WrongVerdict {
  readonly file: string;
  readonly at: string;
  readonly expected: Expected;
  readonly request: string;
  /** The rule that stopped a legitimate request. */
  readonly rule?: StoppingRule;
}

/** The number of requests of each kind, and how many of them were stopped. */
export interface Count {
  total: number;
  stopped: number;
}

/** A request that is stopped without the exception, and passes with it. */
export interface LetThrough {
  readonly file: string;
  readonly at: string;
  readonly request: string;
  readonly rule: StoppingRule;
}

export interface CorpusReport {
  readonly ordinary: Count;
  readonly attacks: Count;
  readonly others: Count;
  readonly rules: readonly RuleTally[];
  readonly wrong: readonly WrongVerdict[];
  /** Only with an exception. */
  readonly letThrough?: readonly LetThrough[];
}

const corpusExtensions = new Set(['.http', '.rest', '.har', '.jsonl', '.ndjson', '.log']);

export function isCorpusFile(path: string): boolean {
  return corpusExtensions.has(extname(path).toLowerCase());
}

/** The file itself, or the files below the directory. */
export function listCorpusFiles(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCorpusFile(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

interface CorpusSettings {
  /** For requests without an expected outcome in their file. */
  readonly expected: Expected | undefined;
  readonly judge: CorpusJudge;
  /** The judge with an exception: if present, its verdicts count. */
  readonly exceptedJudge?: CorpusJudge | undefined;
}

export async function judgeCorpus(
  files: readonly string[],
  { expected, judge, exceptedJudge }: CorpusSettings,
): Promise<CorpusReport> {
  const letThrough: LetThrough[] = [];
  const tallies = new Map<string, RuleTally>();
  const counts = { pass: createCount(), block: createCount(), any: createCount() };
  const wrong: WrongVerdict[] = [];
  for (const file of files) {
    for await (const { at, request, own } of readRequests(file)) {
      const wanted = own ?? expected;
      const stopping = await judge(request);
      const rule = exceptedJudge === undefined ? stopping : await exceptedJudge(request);
      const line = `${request.method} ${request.target}`;
      if (stopping !== undefined && rule === undefined) {
        letThrough.push({ file, at, request: line, rule: stopping });
      }
      const count = counts[wanted ?? 'any'];
      count.total++;
      if (rule !== undefined) {
        count.stopped++;
        countRule(tallies, rule, wanted);
      }
      if (wanted !== undefined && (rule === undefined) !== (wanted === 'pass')) {
        wrong.push({ file, at, expected: wanted, request: line, ...(rule === undefined ? {} : { rule }) });
      }
    }
  }
  const rules = [...tallies.values()].toSorted((a, b) => sum(b) - sum(a) || (a.id < b.id ? -1 : 1));
  return {
    ordinary: counts.pass,
    attacks: counts.block,
    others: counts.any,
    rules,
    wrong,
    ...(exceptedJudge === undefined ? {} : { letThrough }),
  };
}

function createCount(): Count {
  return { total: 0, stopped: 0 };
}

function sum({ falseAlarms, detected, others }: RuleTally): number {
  return falseAlarms + detected + others;
}

function countRule(tallies: Map<string, RuleTally>, rule: StoppingRule, wanted: Expected | undefined): void {
  let tally = tallies.get(rule.id);
  if (tally === undefined) {
    tally = { ...rule, falseAlarms: 0, detected: 0, others: 0 };
    tallies.set(rule.id, tally);
  }
  tally[wanted === 'pass' ? 'falseAlarms' : wanted === 'block' ? 'detected' : 'others']++;
}

interface CorpusRequest {
  readonly at: string;
  readonly request: RecordedRequest;
  readonly own: Expected | undefined;
}

async function* readRequests(file: string): AsyncGenerator<CorpusRequest> {
  try {
    const traffic = await openTraffic({ file, zoneName: 'www.example.com' });
    for await (const entry of traffic.read()) {
      const at = entry.at ?? '';
      if (entry.kind === 'unreadable') throw new RehearsalError(`${file}, ${at}: ${entry.reason}`);
      yield { at, request: entry.request, own: entry.expected };
    }
  } catch (error) {
    if (error instanceof RehearsalError) throw new RuleTestError(error.message, { cause: error });
    throw error;
  }
}
