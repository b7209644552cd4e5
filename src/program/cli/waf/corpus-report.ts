/** The report of `waf test` on a corpus. */
import { writeTable } from '../api/table.ts';
import { escapeUnprintable } from '../terminal/text.ts';
import type { CorpusReport, Count, LetThrough, WrongVerdict } from '#rehearsal';

/** Wrong verdicts that are listed individually; the JSON has all of them. */
const listedMax = 50;
const requestCharactersMax = 120;

export function writeCorpusReport(report: CorpusReport): string {
  const { ordinary, attacks, others, rules, wrong, letThrough } = report;
  const parts = [
    ...(rules.length === 0
      ? []
      : [
          writeTable(
            ['rule', 'description', 'attacks found', 'false alarms', 'others stopped'],
            rules.map(({ id, description, detected, falseAlarms, others: stopped }) => [
              id,
              description,
              detected,
              falseAlarms,
              stopped,
            ]),
          ),
        ]),
    ...wrong.slice(0, listedMax).map((each) => `${writeWrong(each)}\n`),
    ...(wrong.length > listedMax ? [`… and ${wrong.length - listedMax} more (--json lists all)\n`] : []),
    ...(attacks.total === 0 ? [] : [`detection: ${writeShare(attacks)} of the attacks stopped\n`]),
    ...(ordinary.total === 0
      ? []
      : [`false alarms: ${writeShare(ordinary)} of the ordinary requests stopped\n`]),
    ...(others.total === 0
      ? []
      : [`stopped: ${writeShare(others)} (--expect sets what is expected of them)\n`]),
    ...(letThrough === undefined ? [] : writeLetThrough(letThrough)),
  ];
  return parts.join('');
}

function writeLetThrough(requests: readonly LetThrough[]): readonly string[] {
  return [
    `with the exception ${requests.length} more ${requests.length === 1 ? 'request passes' : 'requests pass'}\n`,
    ...requests.slice(0, listedMax).map(({ file, at, request, rule }) => {
      const shown = escapeUnprintable(request.slice(0, requestCharactersMax));
      return `  ${file}, ${at}: ${shown}: was stopped by ${rule.id}, ${rule.description}\n`;
    }),
    ...(requests.length > listedMax ? [`  … and ${requests.length - listedMax} more\n`] : []),
  ];
}

function writeWrong({ file, at, expected, request, rule }: WrongVerdict): string {
  const shown = escapeUnprintable(request.slice(0, requestCharactersMax));
  const what =
    expected === 'block'
      ? 'not stopped'
      : `stopped by ${rule!.id}${rule!.description === '' ? '' : `, ${rule!.description}`}`;
  return `✖ ${file}, ${at}: ${shown}: ${what}`;
}

function writeShare({ stopped, total }: Count): string {
  return `${stopped} of ${total} (${((100 * stopped) / total).toFixed(2)} %)`;
}
