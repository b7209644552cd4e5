/** The results of projects under both, as tables. */
import type { Report } from './report.ts';
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

/** The time until the tests of a file started, and until Vitest had finished. */
export function describeStarts(rows: readonly Row[]): string {
  return compareTimes(rows, {
    'first file': ({ report }) => median(startsOf(report!, { isFirst: true })),
    'each other file': ({ report }) => median(startsOf(report!, { isFirst: false })),
    'whole run': ({ runMs }) => runMs,
  });
}

/** The results that do not depend on the load of the machine; and the tests. */
export function describeWork(rows: readonly Row[]): string {
  return compareTimes(rows, {
    'processor time of a start': ({ report }) => median(report!.files.map(({ startCpuMs }) => startCpuMs)),
    'a test': ({ report }) =>
      median(report!.files.flatMap(({ tests }) => tests.map(({ durationMs }) => durationMs))),
  });
}

function startsOf({ files }: Report, { isFirst }: { readonly isFirst: boolean }): number[] {
  return files.filter((file) => file.isFirst === isFirst).map(({ startMs }) => startMs);
}

type Measure = (outcome: Outcome) => number;

function compareTimes(rows: readonly Row[], measures: Readonly<Record<string, Measure>>): string {
  const both = rows.flatMap(({ name, original, gatehouse }) =>
    original?.report === undefined || gatehouse?.report === undefined ? [] : [{ name, original, gatehouse }],
  );
  const list = Object.values(measures);
  const lines = both.map(({ name, original, gatehouse }) => [
    name,
    ...list.flatMap((measure) => describe(measure(original), measure(gatehouse))),
  ]);
  const medians = list.flatMap((measure) => {
    const theirs = both.map(({ original }) => measure(original));
    const ours = both.map(({ gatehouse }) => measure(gatehouse));
    const ratios = theirs.map((each, index) => ours[index]! / each);
    return [...describe(median(theirs), median(ours)).slice(0, 2), showRatio(median(ratios))];
  });
  const head = Object.keys(measures).flatMap((what) => [`${what}: original`, 'Gatehouse', 'part']);
  return table(['project', ...head], [...lines, ['medians', ...medians]]);
}

function describe(theirs: number, ours: number): string[] {
  if (Number.isNaN(theirs) || Number.isNaN(ours)) return ['–', '–', '–'];
  return [`${theirs.toFixed(0)} ms`, `${ours.toFixed(0)} ms`, showRatio(ours / theirs)];
}

function showRatio(ratio: number): string {
  return Number.isNaN(ratio) ? '–' : ratio.toFixed(2);
}

/** NaN if there are none. */
function median(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  return (
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN) + (sorted[Math.floor(sorted.length / 2)] ?? NaN)) /
    2
  );
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}
