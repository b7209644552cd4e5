/** `gatehouse waf test`: suites and recorded requests, evaluated in this process or by a server. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { plans } from '#rulesets';
import {
  type Expected,
  isCorpusFile,
  judgeCorpus,
  listCorpusFiles,
  listSuiteFiles,
  loadInstalledRules,
  loadRuleDirectory,
  readSuite,
  type RuleDirectoryOptions,
  runTest,
  sendTest,
  suiteValues,
  type TestOutcome,
} from '#rehearsal';
import { CrsError, type RuleSet, VersionStore } from '#seclang';
import { chooseExceptedJudge, chooseJudge, readStopping, readUrl } from '../waf/choose-judge.ts';
import { writeCorpusReport } from '../waf/corpus-report.ts';

export const wafTestCommand: Command = {
  name: 'waf test',
  parameters: '<file>',
  summary:
    'Run requests through rules: test suites in the format of go-ftw, or recordings (.http, HAR); what is found, what is a false alarm.',
  details: `The file is a suite (YAML) or a recording: requests in a .http file, an HTTP archive (.har), lines of JSON (.jsonl)
or an access log (.log). A directory stands for the files in it, of one kind.

Recordings are judged by the managed rules of a plan, by rules in SecLang (--rules), or by a server (--url). --expect says
whether they should pass (ordinary traffic) or be stopped (attacks); in a .http file, "# @expect block" above a request
takes precedence. Suites are judged by --rules, by --url, or by the version of CRS that is in force in ./data (gatehouse crs install);
--rules is an unpacked CRS, or any directory of .conf files. For suites every rule is on (paranoia level 4), with the limits that
the suites of CRS expect; --set changes a value. Against a server, an expectation of a suite about the log means that the request
is stopped, or is not.

Without --url nothing is sent. Exit code 1 if a test fails or a verdict is not as expected.`,
  options: {
    expect: {
      value: 'pass|block',
      choices: ['pass', 'block'],
      help: 'what should happen to recorded requests',
    },
    plan: { value: plans.join('|'), choices: plans, help: 'judge by the managed rules of this plan (pro)' },
    except: {
      value: 'FILE',
      help: 'try an exception: the JSON of a skip rule, as proposed by gatehouse explain; lists what it lets through',
    },
    rules: { value: 'DIRECTORY', help: 'judge by rules in SecLang' },
    setup: { value: 'FILE', help: 'a setup file instead of the one in --rules' },
    set: { value: 'NAME=VALUE', help: 'a variable of TX, such as paranoia_level=1', isRepeatable: true },
    url: { value: 'URL', help: 'send the requests to this server' },
    host: { value: 'NAME', help: 'with --url: the host of every request' },
    'stopped-status': {
      value: 'STATUS',
      help: 'with --url: a status of stopped requests (403)',
      isRepeatable: true,
    },
    only: { value: 'TEXT', help: 'of a suite, only tests whose title starts with this' },
    json: { help: 'print JSON' },
  },
  async run(args) {
    const path = args.positionals[0]!;
    return isCorpus(path) ? testCorpus(path, args) : testSuite(path, args);
  },
};

function isCorpus(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new CommandError(`there is no file ${path}`);
  if (!stats.isDirectory()) return isCorpusFile(path);
  const isRecorded = listCorpusFiles(path).length > 0;
  if (isRecorded && listSuiteFiles(path).length > 0) {
    throw new CommandError(`${path} has suites (.yaml) and recordings: name one of them`);
  }
  return isRecorded;
}

async function testCorpus(path: string, args: Arguments): Promise<number> {
  const report = await judgeCorpus(listCorpusFiles(path), {
    expected: args.values['expect'] as Expected | undefined,
    exceptedJudge: chooseExceptedJudge(args),
    judge: chooseJudge(args, () => loadRuleDirectory(args.values['rules']!, readRuleOptions(args, []))),
  });
  process.stdout.write(args.switches.has('json') ? `${JSON.stringify(report)}\n` : writeCorpusReport(report));
  return report.wrong.length === 0 ? exitCodes.success : exitCodes.failure;
}

async function testSuite(path: string, args: Arguments): Promise<number> {
  const outcomes = await runSuite(path, args);
  const failed = outcomes.filter(({ reasons }) => reasons.length > 0);
  process.stdout.write(
    args.switches.has('json') ? writeJson(outcomes, failed) : writeReport(outcomes, failed),
  );
  return failed.length === 0 ? exitCodes.success : exitCodes.failure;
}

async function runSuite(path: string, args: Arguments): Promise<readonly TestOutcome[]> {
  const { rules: directory, url, only } = args.values;
  const tests = readSuite(path).filter(({ title }) => only === undefined || title.startsWith(only));
  if (tests.length === 0) throw new CommandError(`no test to run in ${path}`);
  if (url !== undefined) {
    const server = { url: readUrl(url), stopping: readStopping(args) };
    const outcomes: TestOutcome[] = [];
    for (const test of tests) outcomes.push(await sendTest(test, server));
    return outcomes;
  }
  const options = readRuleOptions(args, suiteValues);
  const rules = directory === undefined ? loadInForce(options) : loadRuleDirectory(directory, options);
  return tests.map((test) => runTest(test, rules));
}

/** The rules that `gatehouse crs` has put in force in the command's default directory. */
function loadInForce(options: RuleDirectoryOptions): RuleSet {
  const data = resolve('data');
  try {
    const rules = new VersionStore(data).readCurrent();
    if (rules === undefined) {
      throw new UsageError(
        `waf test needs --rules DIRECTORY or --url URL: no version of CRS is in force in ${data}`,
      );
    }
    if (options.setup !== undefined) throw new UsageError('--setup needs --rules DIRECTORY');
    process.stderr.write(`judged by CRS ${rules.version}, which is in force in ${data}\n`);
    return loadInstalledRules(rules, options);
  } catch (error) {
    throw error instanceof CrsError ? new CommandError(error.message, { cause: error }) : error;
  }
}

function readRuleOptions(
  args: Arguments,
  values: readonly (readonly [string, string])[],
): RuleDirectoryOptions {
  return { setup: args.values['setup'], values: new Map([...values, ...readValues(args)]) };
}

function readValues(args: Arguments): readonly (readonly [string, string])[] {
  return (args.repeated['set'] ?? []).map((written) => {
    const found = /^(?:tx\.)?([\w.-]+)=([^']*)$/i.exec(written);
    if (found === null) throw new UsageError(`--set needs NAME=VALUE, not "${written}"`);
    return [found[1]!, found[2]!];
  });
}

function writeReport(outcomes: readonly TestOutcome[], failed: readonly TestOutcome[]): string {
  const lines = failed.map(({ test, reasons }) => `✖ ${test.title} (${test.file}): ${reasons.join('; ')}`);
  const passed = outcomes.length - failed.length;
  const share = ((100 * passed) / outcomes.length).toFixed(2);
  return `${[...lines, `${passed} of ${outcomes.length} tests pass (${share} %)`].join('\n')}\n`;
}

function writeJson(outcomes: readonly TestOutcome[], failed: readonly TestOutcome[]): string {
  const failures = failed.map(({ test, reasons }) => ({ title: test.title, file: test.file, reasons }));
  return `${JSON.stringify({ tests: outcomes.length, passed: outcomes.length - failed.length, failures })}\n`;
}
