/** What became of projects under both, as tables. */
import type { Outcome } from './run-project.ts';

export interface Row {
  readonly name: string;
  readonly original: Outcome | undefined;
  readonly gatehouse: Outcome | undefined;
}

interface Counts {
  readonly tests: number;
  readonly passed: number;
  /** Why tests, files or the whole did not pass. */
  readonly reasons: readonly string[];
}

function count(outcome: Outcome | undefined): Counts {
  if (outcome?.report === undefined)
    return { tests: 0, passed: 0, reasons: [firstLine(outcome?.output ?? '', 'the run did not end')] };
  const { files, errors } = outcome.report;
  const tests = files.flatMap((file) => file.tests);
  const failed = tests.filter(({ state }) => state === 'failed');
  return {
    tests: tests.length,
    passed: tests.filter(({ state }) => state === 'passed').length,
    reasons: [
      ...failed.map(({ name, errors: own }) => `${name}: ${firstLine(own[0] ?? '', 'it failed')}`),
      ...files.flatMap((file) => file.errors.map((error) => firstLine(error, 'a file cannot be loaded'))),
      ...errors.map((error) => firstLine(error, 'an error outside of tests')),
    ],
  };
}

const reasonLengthMax = 160;

function firstLine(text: string, otherwise: string): string {
  const lines = text.split('\n').map((each) => each.trim());
  const line = lines.find((each) => /error|cannot|fail/i.test(each)) ?? lines.find((each) => each !== '');
  return (line ?? otherwise).slice(0, reasonLengthMax);
}

export function describeTable(rows: readonly Row[]): string {
  const lines = rows.map(({ name, original, gatehouse }) => {
    const [theirs, ours] = [count(original), count(gatehouse)];
    const reasons = [...new Set(ours.reasons)];
    return [
      name,
      `${theirs.passed} of ${theirs.tests}`,
      `${ours.passed} of ${ours.tests}`,
      reasons.length === 0
        ? ''
        : `${reasons[0]}${reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : ''}`,
    ];
  });
  return table(['project', 'original: passed', 'Gatehouse: passed', 'what did not pass here'], lines);
}

export function describeSpeed(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ name, original, gatehouse }) => {
    if (original?.report === undefined || gatehouse?.report === undefined) return [];
    const [theirs, ours] = [timesOf(original), timesOf(gatehouse)];
    return [[name, ...keys.flatMap((key) => describe(theirs[key], ours[key]))]];
  });
  const all = rows.filter(({ original, gatehouse }) => original?.report && gatehouse?.report);
  const theirs = all.map(({ original }) => timesOf(original!));
  const ours = all.map(({ gatehouse }) => timesOf(gatehouse!));
  const middle = (list: readonly Times[], key: keyof Times): number => median(list.map((each) => each[key]));
  lines.push([
    'median of the projects',
    ...keys.flatMap((key) => describe(middle(theirs, key), middle(ours, key))),
  ]);
  const of = (what: string): string[] => [`${what}: original`, 'Gatehouse', 'part'];
  return table(['project', ...of('start of a file'), ...of('its processor time'), ...of('a test')], lines);
}

interface Times {
  readonly start: number;
  readonly startCpu: number;
  readonly test: number;
}

const keys = ['start', 'startCpu', 'test'] as const;

/** Medians over the files and tests of a project, in milliseconds. */
function timesOf({ report }: Outcome): Times {
  const tests = report!.files.flatMap((file) => file.tests);
  const begun = report!.files.filter(({ startMs }) => !Number.isNaN(startMs));
  return {
    start: median(begun.map(({ startMs }) => startMs)),
    startCpu: median(begun.map(({ startCpuMs }) => startCpuMs)),
    test: median(tests.map(({ durationMs }) => durationMs)),
  };
}

function describe(theirs: number, ours: number): string[] {
  return [`${theirs.toFixed(0)} ms`, `${ours.toFixed(0)} ms`, (ours / theirs).toFixed(2)];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}
