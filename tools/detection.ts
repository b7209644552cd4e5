/**
 * `npm run detection`: measures the managed rules with the corpus in `test/detection`, and writes the figures that the
 * gate compares with, and the tables of docs/rules/managed-rules.md. Figures may only rise: if one falls, nothing is
 * written unless `--lower` confirms it. `--list DIRECTORY` writes missed attacks and false alarms to files there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Figures,
  figuresFile,
  measure,
  type Measured,
  readFigures,
  type Share,
  shareOf,
} from '../test/detection/measure.ts';
import { measureItems, type MeasuredItems, sumShares } from '../test/detection/measure-items.ts';
import type { RequestDescription } from '#request';

const document = new URL('../docs/rules/managed-rules.md', import.meta.url);

function percent(share: Share): string {
  return `${(100 * shareOf(share)).toFixed(2)} %`;
}

function writeRows(shares: Readonly<Record<string, Share>>): string {
  return Object.entries(shares)
    .map(([name, share]) => `| ${name} | ${share[1]} | ${share[0]} | ${percent(share)} |`)
    .join('\n');
}

/** The generated part of docs/rules/managed-rules.md. */
export function writeTables(figures: Figures): string {
  const { falseAlarms, attacks, classes, places, evasion, hidden = {}, harmless = {} } = figures;
  return `| class | attacks | stopped | share |
|---|---|---|---|
${writeRows({ ...classes, '**all**': attacks })}

| place | attacks | stopped | share |
|---|---|---|---|
${writeRows(places)}

| ordinary | requests | stopped | share |
|---|---|---|---|
${writeRows({ 'paid plans': falseAlarms['paid']!, 'Free plan': falseAlarms['free']!, 'prose, code, names, URLs, rich text, uploads': falseAlarms['values']! })}

Disguised forms of what is stopped as a plain argument: ${evasion[0]} of ${evasion[1]} stopped (${percent(evasion)}).

| hidden attacks | requests | stopped | share |
|---|---|---|---|
${writeRows(hidden)}

| harmless texts | requests | stopped | share |
|---|---|---|---|
${writeRows(harmless)}
`;
}

/** The contribution of `corpus/items` to the figures. */
function summarise(items: MeasuredItems): Pick<Figures, 'hidden' | 'harmless'> {
  return {
    hidden: {
      '60 payloads in 160 disguises': sumShares({ ...items.disguised, ...items.forms, ...items.prose }),
      'in prose': sumShares(items.prose),
      'in the forms of parts': sumShares(items.forms),
      'behind a repeated unit': sumShares(items.units),
    },
    harmless: {
      'texts with the words of attacks': sumShares(items.lookalikes),
      passwords: sumShares(items.passwords),
      'texts and sources of packages, commits': sumShares(items.texts),
    },
  };
}

const [start, end] = ['<!-- figures: npm run detection -->\n', '<!-- end of figures -->'];

export function replaceTables(text: string, figures: Figures): string {
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)];
  if (to < from) throw new Error('docs/rules/managed-rules.md has no place for figures');
  return `${text.slice(0, from)}\n${writeTables(figures)}\n${text.slice(to)}`;
}

/** A line for each figure. */
function writeFigures(figures: Figures): string {
  return JSON.stringify(figures, null, 2).replaceAll(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]');
}

function findFallen(before: Figures, now: Figures): readonly string[] {
  const rising: [string, Share, Share | undefined][] = [
    ['evasion', before.evasion, now.evasion],
    ...(['classes', 'places'] as const).flatMap((by) =>
      Object.entries(before[by]).map(([name, share]): [string, Share, Share | undefined] => [
        name,
        share,
        now[by][name],
      ]),
    ),
  ];
  const fallen = rising.filter(([, was, is]) => is === undefined || shareOf(is) < shareOf(was));
  const risen = Object.entries(before.falseAlarms).filter(
    ([name, was]) => shareOf(now.falseAlarms[name]!) > shareOf(was),
  );
  return [
    ...fallen.map(
      ([name, was, is]) => `${name}: ${is === undefined ? 'gone' : percent(is)}, was ${percent(was)}`,
    ),
    ...risen.map(
      ([name, was]) => `false alarms, ${name}: ${percent(now.falseAlarms[name]!)}, was ${percent(was)}`,
    ),
  ];
}

function showRequest({ method, url, headers, body }: RequestDescription): string {
  const lines = (headers as readonly (readonly [string, string])[]).map((header) => header.join(': '));
  const text =
    body === undefined
      ? ''
      : Buffer.from(body as Uint8Array)
          .toString('utf8')
          .slice(0, 2_000);
  return `${method} ${url}\n${lines.join('\n')}\n\n${text}\n`;
}

function writeLists(measured: Measured, items: MeasuredItems, directory: string): void {
  const { missed, falseAlarms, stoppedValues, evaded } = measured;
  mkdirSync(directory, { recursive: true });
  const write = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(directory, name), lines.join('\n'));
  write(
    'missed.txt',
    missed.map(
      ({ class: each, place, disguise, payload, request }) =>
        `=== ${each} | ${place} | ${disguise} | ${JSON.stringify(payload)}\n${showRequest(request)}`,
    ),
  );
  write(
    'missed-short.txt',
    [...missed, ...items.missed].map(
      ({ class: each, place, disguise, payload }) =>
        `${each} | ${place} | ${disguise} | ${JSON.stringify(payload)}`,
    ),
  );
  write(
    'false-alarms.txt',
    falseAlarms.map(
      ({ plan, kind, title, by, request }) =>
        `=== ${plan} | ${kind} | ${title}\nrule ${by.ruleId}: ${by.description}\n${showRequest(request)}`,
    ),
  );
  write(
    'stopped-values.txt',
    [...stoppedValues, ...items.stopped].map(
      ({ kind, value, by }) => `=== ${kind} | rule ${by.ruleId}: ${by.description}\n${value}\n`,
    ),
  );
  write(
    'evaded.txt',
    evaded.map(({ class: each, form, payload }) => `${each} | ${form} | ${payload}`),
  );
}

if (import.meta.main) {
  const measured = await measure();
  const items = await measureItems('whole');
  const figures = { ...measured.figures, ...summarise(items) };
  process.stdout.write(`${writeTables(figures)}\n`);
  for (const [name, shares] of Object.entries(items).filter(([, each]) => !Array.isArray(each)))
    process.stdout.write(`${name}: ${JSON.stringify(shares)}\n`);
  const at = process.argv.indexOf('--list');
  if (at > 0) writeLists(measured, items, process.argv[at + 1]!);
  const fallen = process.argv.includes('--lower') ? [] : findFallen(readFigures(), figures);
  if (fallen.length > 0) {
    process.stderr.write(
      `\nNothing is written, because these got worse (--lower writes them nevertheless):\n${fallen.join('\n')}\n`,
    );
    process.exitCode = 1;
  } else if (!process.argv.includes('--dry-run')) {
    writeFileSync(figuresFile, `${writeFigures(figures)}\n`);
    writeFileSync(document, replaceTables(readFileSync(document, 'utf8'), figures));
  }
}
