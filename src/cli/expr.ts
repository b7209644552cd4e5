/** Expressions at the terminal: `gatehouse expr …`. What is asked goes to standard output, for people or as JSON. */
import { readFileSync } from 'node:fs';
import {
  type Diagnostic,
  entitlementsOf,
  explain,
  type Filter,
  format,
  isMatch,
  parse,
  parseValue,
  printDiagnostic,
  toJson,
  usesOf,
  type ValueExpression,
} from '#expressions';
import { type RequestDescription, requestFrom } from '#request';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from './command.ts';
import { type CaseReport, runCases } from './expr-cases.ts';
import { explanationJson, printExplanation } from './expr-explanation.ts';
import { describedRequest } from './expr-request.ts';
import { wholeNumber } from './parse-arguments.ts';

const sourceOptions = {
  value: { help: 'read a value expression, as rewrites use, instead of a match expression' },
  json: { help: 'print JSON' },
} as const;

const sourceDetails = 'The expression is an argument, or - for standard input.';

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

function readSource(args: Arguments): string {
  const [written] = args.positionals as [string];
  return written === '-' ? readInput(written) : written;
}

/** A file, or standard input for `-`. */
function readInput(file: string): string {
  return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8');
}

function parseSource(
  args: Arguments,
  source: string,
): ReturnType<typeof parse> | ReturnType<typeof parseValue> {
  return args.switches.has('value') ? parseValue(source) : parse(source);
}

function printRefusal(args: Arguments, source: string, error: Diagnostic): number {
  print(args.switches.has('json') ? JSON.stringify({ ok: false, error }) : printDiagnostic(source, error));
  return exitCodes.failure;
}

const check: Command = {
  name: 'expr check',
  parameters: '<expression>',
  summary:
    'Say whether an expression is valid, what is wrong with it, and what it uses. Exit code 1 if it is not.',
  details: sourceDetails,
  options: sourceOptions,
  run(args) {
    const source = readSource(args);
    const parsed = parseSource(args, source);
    if (!parsed.ok) return Promise.resolve(printRefusal(args, source, parsed.error));
    const { tree, warnings } = parsed;
    if (args.switches.has('json')) {
      print(JSON.stringify({ ok: true, warnings, ...usesJson(tree), entitlements: entitlementsOf(tree) }));
      return Promise.resolve(exitCodes.success);
    }
    for (const warning of warnings) print(printDiagnostic(source, warning));
    for (const [what, names] of Object.entries(usesJson(tree))) {
      if (names.length > 0) print(`${what}: ${names.join(', ')}`);
    }
    for (const { plan, summary } of entitlementsOf(tree)) print(`needs the plan ${plan}: ${summary}`);
    print('valid');
    return Promise.resolve(exitCodes.success);
  },
};

function usesJson(tree: Filter | ValueExpression): Record<'fields' | 'functions' | 'lists', string[]> {
  const { fields, functions, lists } = usesOf(tree);
  return {
    fields: Array.from(fields, ({ name }) => name),
    functions: Array.from(functions, ({ name }) => name),
    lists: Array.from(lists, (name) => `$${name}`),
  };
}

const formatCommand: Command = {
  name: 'expr format',
  parameters: '<expression>',
  summary: 'Write an expression in its canonical spelling; with --json, its syntax tree.',
  details: sourceDetails,
  options: {
    ...sourceOptions,
    width: { value: 'N', help: 'break lines that are longer than this (100)' },
  },
  run(args) {
    const source = readSource(args);
    const parsed = parseSource(args, source);
    if (!parsed.ok) return Promise.resolve(printRefusal(args, source, parsed.error));
    const widthMax = wholeNumber(args, 'width', { min: 1, max: 100_000 }) ?? 100;
    print(
      args.switches.has('json') ? JSON.stringify(toJson(parsed.tree)) : format(parsed.tree, { widthMax }),
    );
    return Promise.resolve(exitCodes.success);
  },
};

const explainCommand: Command = {
  name: 'expr explain',
  parameters: '<expression>',
  summary: 'Show how an expression comes to its result for a request, part by part.',
  details: `${sourceDetails}
The request is a JSON object: url, method, headers, body, ip, country, asn, response.`,
  options: {
    json: sourceOptions.json,
    request: { value: 'JSON|FILE', help: 'the request, written out or in a file' },
  },
  run(args) {
    const source = readSource(args);
    const parsed = parse(source);
    if (!parsed.ok) return Promise.resolve(printRefusal(args, source, parsed.error));
    const explanation = explain(parsed.tree, requestFrom(readRequest(args)));
    print(
      args.switches.has('json')
        ? JSON.stringify(explanationJson(explanation))
        : `${printExplanation(explanation)}${isMatch(explanation) ? 'matches' : 'does not match'}`,
    );
    return Promise.resolve(exitCodes.success);
  },
};

function readRequest(args: Arguments): RequestDescription {
  const { request } = args.values;
  if (request === undefined) throw new UsageError('gatehouse expr explain needs --request');
  const text = request.trimStart().startsWith('{') ? request : readFileSync(request, 'utf8');
  return explained('--request', () => describedRequest(readJson(text, '--request')));
}

/** What is wrong with something that the user wrote is told without a stack. */
function explained<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${where}: ${error.message}`, { cause: error });
  }
}

function readJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${where} must be JSON: ${(error as Error).message}`, { cause: error });
  }
}

const test: Command = {
  name: 'expr test',
  parameters: '<cases.json>',
  summary: 'Run a file of cases: expressions, requests and what is expected. Exit code 1 if any is not met.',
  details: `The file, or - for standard input, is
{"cases": [{"id", "expr", "facts" or "request", "lists", "options", "expect"}]}: docs/rules-language.md tells more.`,
  options: {
    json: { help: 'print one JSON object per case' },
    all: { help: 'list the cases that pass, too' },
  },
  run(args) {
    const [file] = args.positionals as [string];
    const reports = reportsOf(file);
    for (const report of reports) printReport(args, report);
    const failed = reports.filter(({ verdict }) => verdict.outcome !== 'passed').length;
    if (!args.switches.has('json')) {
      print(`${reports.length} cases: ${reports.length - failed} passed, ${failed} failed`);
    }
    return Promise.resolve(failed === 0 ? exitCodes.success : exitCodes.failure);
  },
};

function reportsOf(file: string): readonly CaseReport[] {
  const content = readJson(readInput(file), file === '-' ? 'standard input' : file);
  return explained(file, () => runCases(content));
}

function printReport(args: Arguments, { id, expression, verdict }: CaseReport): void {
  if (args.switches.has('json')) return print(JSON.stringify({ id, ...verdict }));
  switch (verdict.outcome) {
    case 'passed':
      if (args.switches.has('all')) print(`ok    ${id}`);
      return;
    case 'failed':
      print(
        `FAIL  ${id}: ${expression}\n      expected ${verdict.expected}\n      got      ${verdict.actual}`,
      );
      return;
    case 'broken':
      print(`BAD   ${id}: ${verdict.reason}`);
  }
}

export const exprCommands: readonly Command[] = [check, explainCommand, formatCommand, test];
