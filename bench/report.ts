/** The table, with the machine, versions and command. */
import { cpus, release, totalmem, type as systemName } from 'node:os';
import { ratioOf, type Result } from './result.ts';

export function markdownOf(
  results: readonly Result[],
  about: { heading: string; workerdVersion: string; command: string; date: string },
): string {
  const processors = cpus();
  const machine = [
    `${processors.length} × ${processors[0]!.model.trim()}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${systemName()} ${release()}`,
  ];
  return [
    about.heading,
    '',
    `One module under both servers; the best turn of each counts. \`${about.command}\`, ${about.date}, workerd ${about.workerdVersion}.`,
    '',
    `${machine.join(', ')}, Node ${process.version}.`,
    '',
    '| measured | unit | workerd | Gatehouse | ratio | target | check |',
    '|---|---|---:|---:|---:|---|---|',
    ...results.map(rowOf),
    '',
  ].join('\n');
}

function rowOf(result: Result): string {
  const ratio = ratioOf(result);
  const target = result.target === undefined ? '' : `${result.target.text} ${result.target.met ? '✓' : '✗'}`;
  const cells = [
    result.name,
    result.unit,
    result.workerd === undefined ? '' : figure(result.workerd),
    figure(result.gatehouse),
    ratio === undefined ? '' : `${ratio.toFixed(1)}×`,
    target,
    result.check,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Three significant digits. */
function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
