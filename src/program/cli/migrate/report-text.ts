/** A report for a terminal. Visitors control the text of requests: control characters are shown as escapes. */
import {
  type ComparedChange,
  changeKinds,
  changeTitles,
  type Outcome,
  type ProvenSuggestion,
  type RehearsalReport,
} from '#rehearsal';
import { writeTable } from '../api/table.ts';
import { openScreen } from '../resources/tables.ts';
import { escapeUnprintable as clean } from '../terminal/text.ts';

const { style } = openScreen();
const rulesShown = 10;
const pathsShown = 10;

/** A newly stopped request may be a visitor who is refused. */
const changeStyles = { newlyStopped: 'red', noLongerStopped: 'yellow', otherAction: 'yellow' } as const;

export function writeTextReport(report: RehearsalReport): string {
  return [
    ...writeSummary(report),
    ...writeScores(report),
    ...writeRules(report),
    ...writePaths(report),
    ...writeSuggestions(report),
    ...writeNotes(
      'Lost in the migration',
      report.losses.map(({ code, message }) => `${message} (${code})`),
    ),
    ...writeNotes('Remarks', report.remarks),
    '',
  ].join('\n');
}

function writeSummary({ zone, traffic, changed, verdicts, replay }: RehearsalReport): string[] {
  const counts = changeKinds.map((kind) => `${changed[kind]} ${changeTitles[kind]}`).join(', ');
  const actions = [...new Set([...Object.keys(verdicts.before), ...Object.keys(verdicts.after)])];
  return [
    style(
      changed.total === 0 ? 'green' : 'yellow',
      `Rehearsal of ${zone.name} (${zone.plan}): ${changed.total} of ${traffic.requests} requests change (${counts})`,
    ),
    `Traffic: ${traffic.file}, ${traffic.from} to ${traffic.to}`,
    `Replayed at ${replay.requestsPerCpuSecond} requests per second of CPU time`,
    '',
    writeTable(
      ['verdict', 'before', 'after'],
      actions.map((action) => [action, verdicts.before[action] ?? 0, verdicts.after[action] ?? 0]),
    ).trimEnd(),
  ];
}

function writeScores({ scores }: RehearsalReport): string[] {
  if (scores === null) return [];
  const { planned, thresholds, levels } = scores;
  const rows = levels.map(({ level, stopped, unconfirmed }) => [
    level === planned.level ? `${level} (planned)` : level,
    ...thresholds.map((_, index) => `${stopped[index]} (${unconfirmed[index]})`),
  ]);
  const heads = thresholds.map((each) => (each === planned.threshold ? `${each} (planned)` : String(each)));
  return [
    '',
    style(
      'bold',
      `OWASP scores, planned: level ${planned.level}, threshold ${planned.threshold}, ${planned.action}`,
    ),
    'Requests that only the score stops, by level and threshold; in brackets those that no detector considers an attack',
    writeTable(['level', ...heads], rows).trimEnd(),
  ];
}

function writeRules({ byRule }: RehearsalReport): string[] {
  if (byRule.length === 0) return [];
  const lines = ['', style('bold', 'Changes by rule')];
  for (const { kind, rule, count, paths, examples } of byRule.slice(0, rulesShown)) {
    const where = paths === 1 ? '1 path' : `${paths} paths`;
    lines.push(
      `  ${style(changeStyles[kind], `${count} ${changeTitles[kind]}`)} on ${where}: ${clean(rule.description)} (${rule.source} ${rule.id})`,
    );
    for (const example of examples) lines.push(`    ${writeChange(example)}`);
  }
  if (byRule.length > rulesShown) lines.push(`  … and ${byRule.length - rulesShown} more rules`);
  return lines;
}

function writeChange({ request, before, after }: ComparedChange): string {
  const query = request.query === '' ? '' : `?${request.query}`;
  const target = clean(`${request.path}${query}`);
  const shown = target.length > 90 ? `${target.slice(0, 89)}…` : target;
  return `#${request.number} ${request.method} ${shown}: ${before.action} -> ${writeOutcome(after)}`;
}

function writeOutcome({ action, score }: Outcome): string {
  return score === undefined ? action : `${action} (score ${score.total} of ${score.threshold})`;
}

function writePaths({ byPath }: RehearsalReport): string[] {
  if (byPath.length === 0) return [];
  const rows = byPath
    .slice(0, pathsShown)
    .map((path) => [path.path.slice(0, 60), ...changeKinds.map((kind) => path[kind])]);
  const more = byPath.length - pathsShown;
  return [
    '',
    writeTable(['path', ...changeKinds.map((kind) => changeTitles[kind])], rows).trimEnd(),
    ...(more > 0 ? [`… and ${more} more paths`] : []),
  ];
}

function writeSuggestions({ suggestions, changed, changedWithSuggestions }: RehearsalReport): string[] {
  if (changedWithSuggestions === null)
    return changed.total === 0 ? [] : ['', 'No override was found that helps without harm in a replay.'];
  return [
    '',
    style(
      'green',
      `Suggested, and confirmed by a second replay: ${changed.total} changes become ${changedWithSuggestions.total}`,
    ),
    ...suggestions.map((suggestion) => `  ${writeSuggestion(suggestion)}`),
    '  configWithSuggestions in the JSON report is the configuration with all of them.',
  ];
}

function writeSuggestion({ title, restored, edit }: ProvenSuggestion): string {
  const json = JSON.stringify(edit.kind === 'override' ? edit.overrides : edit.rule);
  return `${clean(title)} (${restored} requests as before): ${json}`;
}

function writeNotes(title: string, notes: readonly string[]): string[] {
  return notes.length === 0 ? [] : ['', style('bold', title), ...notes.map((note) => `  ${clean(note)}`)];
}
