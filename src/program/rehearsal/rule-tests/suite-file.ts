/**
 * Test suites in the format of go-ftw and its predecessor: YAML, one file per rule, each test with the request to send
 * and the expected content of the log. Both generations of the format are supported.
 */
import { parse } from 'yaml';
import { RuleTestError } from './rule-test-error.ts';
import { buildRequest, type WrittenInput } from './built-request.ts';

export interface Expectations {
  /** Rules that must match, and rules that must not. */
  readonly ids: readonly number[];
  readonly noIds: readonly number[];
  /** Allowed statuses of the answer; empty if the status is irrelevant. */
  readonly statuses: readonly number[];
  readonly pattern: RegExp | undefined;
  readonly noPattern: RegExp | undefined;
  /** Whether the server may close the connection without an answer. */
  readonly mayFail: boolean;
}

export interface SuiteStage {
  /** Bytes to send, as a binary string. */
  readonly request: string;
  readonly expected: Expectations;
}

export interface SuiteTest {
  readonly title: string;
  readonly file: string;
  readonly stages: readonly SuiteStage[];
}

interface WrittenOutput {
  readonly status?: number | readonly number[];
  readonly log_contains?: string;
  readonly no_log_contains?: string;
  readonly expect_error?: boolean;
  readonly log?: {
    readonly expect_ids?: readonly number[];
    readonly no_expect_ids?: readonly number[];
    readonly match_regex?: string;
    readonly no_match_regex?: string;
  };
}

interface WrittenStage {
  readonly input: WrittenInput;
  readonly output: WrittenOutput;
}

interface WrittenTest {
  readonly test_title?: string;
  readonly test_id?: number;
  readonly stages?: readonly (WrittenStage | { readonly stage: WrittenStage })[];
}

interface WrittenFile {
  readonly meta?: { readonly enabled?: boolean };
  readonly rule_id?: number;
  readonly tests?: readonly WrittenTest[];
}

/** The tests of one file; none if it is marked as not enabled. */
export function readSuiteFile(text: string, file: string): readonly SuiteTest[] {
  let written: WrittenFile | null;
  try {
    written = parse(text) as WrittenFile | null;
  } catch (error) {
    throw new RuleTestError(`${file} is not YAML: ${(error as Error).message}`);
  }
  // A file with only comments represents a rule that needs no test.
  if (written === null) return [];
  if (written.tests === undefined)
    throw new RuleTestError(`${file} has no tests: it is not a suite for go-ftw`);
  if (written.meta?.enabled === false) return [];
  return written.tests.map((test, index) => ({
    title: test.test_title ?? `${written.rule_id ?? file}-${test.test_id ?? index + 1}`,
    file,
    stages: (test.stages ?? []).map((entry) => readStage('stage' in entry ? entry.stage : entry, file)),
  }));
}

function readStage({ input, output }: WrittenStage, file: string): SuiteStage {
  const compile = (source: string | undefined): RegExp | undefined => {
    if (source === undefined) return undefined;
    try {
      return new RegExp(source);
    } catch {
      throw new RuleTestError(`${file} expects the log to match ${source}, which is not a pattern`);
    }
  };
  const { log } = output;
  return {
    request: buildRequest(input ?? {}),
    expected: {
      ids: log?.expect_ids ?? [],
      noIds: log?.no_expect_ids ?? [],
      statuses: output.status === undefined ? [] : [output.status].flat(),
      pattern: compile(log?.match_regex ?? output.log_contains),
      noPattern: compile(log?.no_match_regex ?? output.no_log_contains),
      mayFail: output.expect_error === true,
    },
  };
}
