/** `gatehouse waf test`: a test suite of rules, run in this process. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { loadRuleDirectory } from './rule-directory.ts';
import { runTest, type TestOutcome } from './run-suite.ts';
import { readSuiteFile, type SuiteTest } from './suite-file.ts';

/** What the authors of CRS ask for before their suites are run: every rule on, and the limits that it tests. */
const suiteValues: readonly (readonly [name: string, value: string])[] = [
  ['paranoia_level', '4'],
  ['blocking_paranoia_level', '4'],
  ['detection_paranoia_level', '4'],
  ['crs_validate_utf8_encoding', '1'],
  ['arg_name_length', '100'],
  ['arg_length', '400'],
  ['total_arg_length', '64000'],
  ['max_num_args', '255'],
  ['max_file_size', '64100'],
  ['combined_file_sizes', '65535'],
];

export const wafTestCommand: Command = {
  name: 'waf test',
  parameters: '<suite>',
  summary:
    'Run a test suite in the format of go-ftw against rules in SecLang, such as the OWASP Core Rule Set.',
  details: `The suite is a YAML file, or a directory of them. The rules are a directory as CRS is unpacked, or any directory of .conf files.
Every rule is on (paranoia level 4) and the limits are those that the suites of CRS expect; --set changes a value.
Requests are read as the edge reads them, then judged; nothing is sent. Exit code 1 if a test fails.`,
  options: {
    rules: { value: 'DIRECTORY', help: 'where the rules are' },
    setup: { value: 'FILE', help: 'a set-up file instead of the one in that directory' },
    set: { value: 'NAME=VALUE', help: 'a variable of TX, such as paranoia_level=1', isRepeatable: true },
    only: { value: 'TEXT', help: 'only tests whose title begins with this' },
    json: { help: 'print JSON' },
  },
  run(args) {
    const outcomes = runSuite(args);
    const failed = outcomes.filter(({ reasons }) => reasons.length > 0);
    process.stdout.write(
      args.switches.has('json') ? writeJson(outcomes, failed) : writeReport(outcomes, failed),
    );
    return Promise.resolve(failed.length === 0 ? exitCodes.success : exitCodes.failure);
  },
};

function runSuite(args: Arguments): readonly TestOutcome[] {
  const { rules: directory, setup, only } = args.values;
  if (directory === undefined) throw new UsageError('waf test needs --rules DIRECTORY: where the rules are');
  const rules = loadRuleDirectory(directory, {
    setup,
    values: new Map([...suiteValues, ...readValues(args)]),
  });
  const tests = readSuite(args.positionals[0]!).filter(
    ({ title }) => only === undefined || title.startsWith(only),
  );
  if (tests.length === 0) throw new CommandError(`there is no test to run in ${args.positionals[0]}`);
  return tests.map((test) => runTest(test, rules));
}

function readValues(args: Arguments): readonly (readonly [string, string])[] {
  return (args.repeated['set'] ?? []).map((written) => {
    const found = /^(?:tx\.)?([\w.-]+)=([^']*)$/i.exec(written);
    if (found === null) throw new UsageError(`--set needs NAME=VALUE, not "${written}"`);
    return [found[1]!, found[2]!];
  });
}

function readSuite(path: string): readonly SuiteTest[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new CommandError(`there is no suite at ${path}`);
  if (!stats.isDirectory()) return readSuiteFile(readFileSync(path, 'utf8'), path);
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .flatMap((file) => readSuiteFile(readFileSync(file, 'utf8'), relative(path, file)));
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
