/** `gatehouse simulate`: runs the simulations of a project. */
import {
  SeededGlobals,
  simulate,
  SimulationFailure,
  SimulationOptionsError,
  type SimulationReport,
} from '#simulator';
import { type Arguments, type Command, CommandError, exitCodes } from '../command.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { keepStory } from '../simulate/keep-story.ts';
import { findSimulationFiles, type FoundSimulation, loadSimulations } from '../simulate/find-simulations.ts';

interface SimulationOutcome {
  readonly file: string;
  readonly name: string;
  readonly mustFail: boolean;
  /** Whether the simulation passed. */
  readonly ok: boolean;
  readonly report?: SimulationReport;
  readonly failure?: Pick<SimulationFailure, 'seed' | 'replay' | 'message' | 'moments'>;
  /** Why the page of `gatehouse dev` cannot show its story. */
  readonly unreported?: string;
}

export const simulateCommand: Command = {
  name: 'simulate',
  parameters: '[path]',
  summary: 'Run seeded simulations of the objects of a project, with crashes, lost answers and retries.',
  details: `path is a module, or a directory whose modules *.simulation.ts are run; the current directory by default. A module
exports its simulations: export const deposits = defineSimulation({ classes: { Account } }, async (world) => …).

Each is run 1,000 times, or as often as --seeds or --seconds allow. A failure is reported as the shortest sequence of steps that was
found, with the text for --replay that runs it again; the page of gatehouse dev shows it step by step. The exit code is 0 if all
simulations end as expected, and 1 otherwise. Code that computes for 10 s without a pause is reported with the name of its object, and
the process is killed.`,
  options: {
    seeds: { value: 'N', help: 'number of runs (1000, or as many as fit into --seconds)' },
    seconds: { value: 'N', help: 'how long to run each simulation' },
    'first-seed': { value: 'N', help: 'first seed (1)' },
    only: { value: 'NAME', help: 'only the simulation of this name' },
    replay: {
      value: 'TEXT',
      help: 'a single run: a seed, or the text printed with a failure; with --only if there are several simulations',
    },
    json: { help: 'print JSON' },
  },
  run: (args) => runSimulations(args),
};

async function runSimulations(args: Arguments): Promise<number> {
  const { only, replay } = args.values;
  // Modules may store such functions when they are loaded.
  using _globals = new SeededGlobals();
  const found: FoundSimulation[] = [];
  for (const file of findSimulationFiles(args.positionals[0] ?? '.'))
    found.push(...(await loadSimulations(file)));
  const chosen = found.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0) {
    const names = [...new Set(found.map(({ name }) => name))].join(', ');
    throw new CommandError(`there is no simulation ${only}: choose one of ${names}`, {
      exitCode: exitCodes.usage,
    });
  }
  if (replay !== undefined && chosen.length > 1)
    throw new CommandError('--replay runs one simulation: name it with --only, and its module as the path', {
      exitCode: exitCodes.usage,
    });
  const outcomes: SimulationOutcome[] = [];
  for (const each of chosen) {
    const outcome = await runOne(each, args);
    outcomes.push(outcome);
    if (!args.switches.has('json')) process.stdout.write(formatOutcome(outcome));
  }
  if (args.switches.has('json')) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  return outcomes.every(({ ok }) => ok) ? exitCodes.success : exitCodes.failure;
}

async function runOne(
  { file, name, simulation }: FoundSimulation,
  args: Arguments,
): Promise<SimulationOutcome> {
  const { options, story } = simulation;
  const { mustFail = false } = options;
  const [seeds, seconds, firstSeed] = ['seeds', 'seconds', 'first-seed'].map((option) =>
    readWholeNumber(args, option, { min: 1, max: 2 ** 31 }),
  );
  const { replay } = args.values;
  const given = {
    ...(seeds === undefined ? {} : { seeds }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(firstSeed === undefined ? {} : { firstSeed }),
    ...(replay === undefined ? {} : { replay }),
  };
  try {
    const report = await simulate({ ...options, ...given }, story);
    return { file, name, mustFail, ok: !mustFail, report, ...keepStory(file, name, undefined) };
  } catch (error) {
    if (error instanceof SimulationOptionsError)
      throw new CommandError(`${file} ${name}: ${error.message}`, { exitCode: exitCodes.usage });
    if (!(error instanceof SimulationFailure)) throw error;
    const { seed, replay: text, message, moments } = error;
    const failure = { seed, replay: text, message, moments };
    return { file, name, mustFail, ok: mustFail, failure, ...keepStory(file, name, error) };
  }
}

function formatOutcome({ file, name, mustFail, ok, report, failure, unreported }: SimulationOutcome): string {
  const lines = [`${ok ? '✓' : '✗'} ${file} ${name}`];
  if (failure !== undefined) {
    if (mustFail) lines.push('  fails, as expected:');
    lines.push(...failure.message.split('\n').map((line) => (line === '' ? '' : `  ${line}`)));
    lines.push(`  on the command line: gatehouse simulate ${file} --only ${name} --replay ${failure.replay}`);
    if (unreported === undefined)
      lines.push('  step by step: on the page of gatehouse dev, under Simulations');
  }
  if (unreported !== undefined) lines.push(`  note: ${unreported}`);
  if (report !== undefined) {
    if (mustFail) lines.push('  expected to fail, but did not in:');
    lines.push(...describeReport(report).map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n\n`;
}

function describeReport(report: SimulationReport): string[] {
  const count = (number: number): string => number.toLocaleString('en-US');
  const { lives, operations, commits, faults, distinct, distinctLately, seconds, told } = report;
  const kinds = Object.entries(faults).map(([kind, number]) => `${count(number)} ${kind}`);
  return [
    `${count(lives)} runs in ${seconds.toFixed(1)} s: ${count(operations)} operations, ${count(commits)} commits`,
    `faults: ${kinds.length === 0 ? 'none' : kinds.join(', ')}`,
    `${count(distinct)} runs were unlike all others, ${count(distinctLately.distinct)} of the last ${count(distinctLately.lives)}`,
    ...told.map((each) => `note: ${each}`),
  ];
}
