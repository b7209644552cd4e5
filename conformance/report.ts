/** The report of the suite: a table by area, then every difference with both answers and, if listed, its reason. */
import { isHarnessFailure, type Question } from './questions.ts';

interface Interview {
  readonly questions: readonly Question[];
  readonly answers: ReadonlyMap<string, string>;
}

interface Comparison extends Interview {
  readonly ours: ReadonlyMap<string, string>;
  /** From a title to the reason of an intended difference. */
  readonly differences: Readonly<Record<string, string>>;
  /** Whether all probes ran, so that a listed difference that did not occur is an error. */
  readonly whole: boolean;
}

type Verdict = 'same' | 'intended' | 'different' | 'stale';

/** The original's answers, one per line; the exit code. */
export function printAnswers({ questions, answers }: Interview): number {
  for (const { title } of questions) console.log(`${title}\n    ${answers.get(title)}`);
  const failures = questions.filter(({ title }) => isHarnessFailure(answers.get(title)!));
  for (const { title } of failures) console.log(`no answer: ${title}`);
  console.log(`${questions.length} answers of ${countProbes(questions)} probes, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
}

/** The comparison; the exit code. */
export function printReport(comparison: Comparison): number {
  const { questions, answers, ours, differences } = comparison;
  const verdicts = new Map<Question, Verdict>();
  for (const question of questions) {
    const same = answers.get(question.title) === ours.get(question.title);
    const listed = differences[question.title] !== undefined;
    verdicts.set(question, same ? (listed ? 'stale' : 'same') : listed ? 'intended' : 'different');
  }
  printTable(verdicts);
  const titles = new Set(questions.map(({ title }) => title));
  const unmet = comparison.whole ? Object.keys(differences).filter((title) => !titles.has(title)) : [];
  for (const verdict of ['intended', 'different', 'stale'] as const)
    printVerdict(verdict, verdicts, comparison);
  for (const title of unmet) console.log(`\nlisted as a difference, but there is no such probe: ${title}`);

  const count = (verdict: Verdict): number => [...verdicts.values()].filter((v) => v === verdict).length;
  const wrong = count('different') + count('stale') + unmet.length;
  console.log(
    `\n${questions.length} answers of ${countProbes(questions)} probes: ${count('same')} the same, ` +
      `${count('intended')} different as listed, ${wrong} wrong`,
  );
  return wrong === 0 ? 0 : 1;
}

function countProbes(questions: readonly Question[]): number {
  return new Set(questions.map(({ probe }) => probe.name)).size;
}

function printTable(verdicts: ReadonlyMap<Question, Verdict>): void {
  const areas = Map.groupBy(verdicts, ([question]) => question.probe.area);
  const width = Math.max(...[...areas.keys()].map((area) => area.length));
  console.log(`${'area'.padEnd(width)}  answers   same  intended  wrong`);
  for (const [area, rows] of areas) {
    const count = (...wanted: Verdict[]): string =>
      String(rows.filter(([, verdict]) => wanted.includes(verdict)).length);
    const cells = [String(rows.length).padStart(7), count('same').padStart(5), count('intended').padStart(8)];
    console.log(`${area.padEnd(width)}  ${cells.join('  ')}  ${count('different', 'stale').padStart(5)}`);
  }
}

const HEADINGS = {
  intended: 'Intended differences',
  different: 'DIFFERENCES NOT LISTED in conformance/differences.ts',
  stale: 'LISTED AS A DIFFERENCE, BUT THE ANSWERS ARE THE SAME',
} as const;

function printVerdict(
  verdict: keyof typeof HEADINGS,
  verdicts: ReadonlyMap<Question, Verdict>,
  comparison: Comparison,
): void {
  const found = [...verdicts].filter(([, v]) => v === verdict).map(([{ title }]) => title);
  if (found.length === 0) return;
  console.log(`\n${HEADINGS[verdict]}`);
  for (const title of found) {
    console.log(`\n  ${title}`);
    if (comparison.differences[title] !== undefined)
      console.log(`    because    ${comparison.differences[title]}`);
    console.log(`    workerd    ${comparison.answers.get(title)}`);
    console.log(`    gatehouse  ${comparison.ours.get(title)}`);
  }
}
