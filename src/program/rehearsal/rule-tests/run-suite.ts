/**
 * Runs a suite: in this process, where each request is parsed as by the edge and then evaluated by the rules; or
 * against a server.
 */
import { realClock } from '#base';
import { readRawRequest, Refusal } from '#edge';
import {
  PersistentCollections,
  type RuleSet,
  runLogging,
  runRequest,
  runResponse,
  type SecResponse,
} from '#seclang';
import { beginTransaction } from './begin-transaction.ts';
import { sendRaw } from './send-raw.ts';
import type { Expectations, SuiteStage, SuiteTest } from './suite-file.ts';

interface StageOutcome {
  /** The status of the server's answer: its own refusal, that of a rule, or the backend's. */
  readonly status: number;
  /** Whether the request was refused before any rule was evaluated. */
  readonly isRefused: boolean;
  readonly ids: readonly number[];
  /** A line for each rule that matched, in ModSecurity's format. */
  readonly log: string;
}

export interface TestOutcome {
  readonly test: SuiteTest;
  /** Deviations from the expected result; none if the test passes. */
  readonly reasons: readonly string[];
}

export function runTest(test: SuiteTest, rules: RuleSet): TestOutcome {
  const collections = new PersistentCollections(realClock);
  const reasons = test.stages.flatMap((stage) =>
    compare(stage.expected, judgeStage(stage, rules, collections)),
  );
  return { test, reasons };
}

export interface TestedServer {
  readonly url: URL;
  /** Statuses by which it reports that it has stopped a request. */
  readonly stopping: ReadonlySet<number>;
}

/** A server shows no log: an expected match means that the request must be stopped. */
export async function sendTest(test: SuiteTest, { url, stopping }: TestedServer): Promise<TestOutcome> {
  const reasons: string[] = [];
  for (const { request, expected } of test.stages) {
    const status = await sendRaw(url, Buffer.from(request, 'latin1'));
    const isStopped = status === undefined || stopping.has(status);
    const { ids, noIds, pattern, noPattern, statuses, mayFail } = expected;
    const shown = status === undefined ? 'the connection is closed' : `the answer is ${status}`;
    if (ids.length > 0 || pattern !== undefined) {
      if (!isStopped && !(status !== undefined && status >= 400)) reasons.push(`it is not stopped: ${shown}`);
    } else if (noIds.length > 0 || noPattern !== undefined) {
      if (isStopped) reasons.push(`it is stopped: ${shown}`);
    } else if (status === undefined ? !mayFail : statuses.length > 0 && !statuses.includes(status)) {
      reasons.push(`${shown}, not ${statuses.join(' or ')}`);
    }
  }
  return { test, reasons };
}

function judgeStage(
  { request }: SuiteStage,
  rules: RuleSet,
  collections: PersistentCollections,
): StageOutcome {
  const read = readRawRequest(Buffer.from(request, 'latin1'));
  if (read instanceof Refusal) return { status: read.status, isRefused: true, ids: [], log: '' };
  const transaction = beginTransaction(read, rules, { collections, engine: 'detection-only' });
  runRequest(transaction);
  const response = answerAsBackend(read.target, read.body);
  runResponse(transaction, response);
  runLogging(transaction);
  const { matched } = transaction;
  const log = matched
    .map(({ rule, message, data }) => `[id "${rule.id}"] [msg "${message}"] [data "${data}"]`)
    .join('\n');
  return { status: response.status, isRefused: false, ids: matched.map(({ rule }) => rule.id), log };
}

/** The backend that CRS's suites expect: it answers `/reflect` as the request specifies. */
function answerAsBackend(target: string, body: Buffer): SecResponse {
  const plain: SecResponse = { protocol: 'HTTP/1.1', status: 200, headers: [], body: '' };
  if (!target.startsWith('/reflect')) return plain;
  try {
    const told = JSON.parse(body.toString('utf8')) as {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly encodedBody?: string;
    };
    const text =
      told.encodedBody === undefined
        ? Buffer.from(told.body ?? '', 'utf8').toString('latin1')
        : Buffer.from(told.encodedBody, 'base64').toString('latin1');
    return { ...plain, status: told.status ?? 200, headers: Object.entries(told.headers ?? {}), body: text };
  } catch {
    return plain;
  }
}

function compare(expected: Expectations, { status, isRefused, ids, log }: StageOutcome): string[] {
  const reasons: string[] = [];
  const isRefusalExpected = expected.mayFail || expected.statuses.some((each) => each >= 400);
  if (isRefused && isRefusalExpected) return [];
  for (const id of expected.ids) if (!ids.includes(id)) reasons.push(`rule ${id} did not match`);
  for (const id of expected.noIds) if (ids.includes(id)) reasons.push(`rule ${id} matched`);
  if (expected.pattern?.test(log) === false) reasons.push(`the log does not have ${expected.pattern.source}`);
  if (expected.noPattern?.test(log) === true) reasons.push(`the log has ${expected.noPattern.source}`);
  const says =
    expected.ids.length + expected.noIds.length > 0 ||
    expected.pattern !== undefined ||
    expected.noPattern !== undefined;
  if (!says && expected.statuses.length > 0 && !expected.statuses.includes(status)) {
    reasons.push(`the answer is ${status}, not ${expected.statuses.join(' or ')}`);
  }
  if (isRefused && reasons.length > 0) reasons.push(`the edge refuses the request with ${status}`);
  return reasons;
}
