/** Expressions at the terminal: `gatehouse expr …`. Results go to standard output, for people or as JSON. */
import { readFileSync } from 'node:fs';
import {
  type Diagnostic,
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
import { entitlementsOf } from '#rulesets';
import { type RequestDescription, requestFrom } from '#request';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { type CaseReport, runCases } from '../expr/cases.ts';
import { toExplanationJson, printExplanation } from '../expr/explanation.ts';
import { readDescription } from '../expr/request.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { readInput } from '../read-input.ts';

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
    'Check whether an expression is valid, and show its errors or what it uses. Exit code 1 if it is invalid.',
  details: sourceDetails,
  options: sourceOptions,
  run(args) {
    const source = readSource(args);
    const parsed = parseSource(args, source);
    if (!parsed.ok) return Promise.resolve(printRefusal(args, source, parsed.error));
    const { tree, warnings } = parsed;
    if (args.switches.has('json')) {
      print(JSON.stringify({ ok: true, warnings, ...toUsesJson(tree), entitlements: entitlementsOf(tree) }));
      return Promise.resolve(exitCodes.success);
    }
    for (const warning of warnings) print(printDiagnostic(source, warning));
    for (const [what, names] of Object.entries(toUsesJson(tree))) {
      if (names.length > 0) print(`${what}: ${names.join(', ')}`);
    }
    for (const { plan, summary } of entitlementsOf(tree)) print(`needs the plan ${plan}: ${summary}`);
    print('valid');
    return Promise.resolve(exitCodes.success);
  },
};

function toUsesJson(tree: Filter | ValueExpression): Record<'fields' | 'functions' | 'lists', string[]> {
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
  summary: 'Print an expression in its canonical spelling; with --json, its syntax tree.',
  details: sourceDetails,
  options: {
    ...sourceOptions,
    width: { value: 'N', help: 'break lines that are longer than this (100)' },
  },
  run(args) {
    const source = readSource(args);
    const parsed = parseSource(args, source);
    if (!parsed.ok) return Promise.resolve(printRefusal(args, source, parsed.error));
    const widthMax = readWholeNumber(args, 'width', { min: 1, max: 100_000 }) ?? 100;
    print(
      args.switches.has('json') ? JSON.stringify(toJson(parsed.tree)) : format(parsed.tree, { widthMax }),
    );
    return Promise.resolve(exitCodes.success);
  },
};

const explainCommand: Command = {
  name: 'expr explain',
  parameters: '<expression>',
  summary: 'Show how an expression gets its result for a request, part by part.',
  details: `${sourceDetails}
The request is a JSON object: url, method, headers, body, ip, country, asn, response.`,
  options: {
    json: sourceOptions.json,
    request: { value: 'JSON|FILE', help: 'the request as JSON, or a file that contains it' },
  },
  run(args) {
    const source = readSource(args);
    const parsed = parse(source);
    if (!parsed.ok) return Promise.resolve(printRefusal(args, source, parsed.error));
    const explanation = explain(parsed.tree, requestFrom(readRequest(args)));
    print(
      args.switches.has('json')
        ? JSON.stringify(toExplanationJson(explanation))
        : `${printExplanation(explanation)}${isMatch(explanation) ? 'matches' : 'does not match'}`,
    );
    return Promise.resolve(exitCodes.success);
  },
};

function readRequest(args: Arguments): RequestDescription {
  const { request } = args.values;
  if (request === undefined) throw new UsageError('gatehouse expr explain needs --request');
  const text = request.trimStart().startsWith('{') ? request : readFileSync(request, 'utf8');
  return reportErrors('--request', () => readDescription(readJson(text, '--request')));
}

/** Reports an error in the user's input without a stack. */
function reportErrors<T>(where: string, work: () => T): T {
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
  summary: 'Run a file of cases: expressions, requests and expected results. Exit code 1 if any case fails.',
  details: `The file, or - for standard input, is
{"cases": [{"id", "expr", "facts" or "request", "lists", "options", "expect"}]}: see docs/rules/rules-language.md.`,
  options: {
    json: { help: 'print one JSON object per case' },
    all: { help: 'also list the cases that pass' },
  },
  run(args) {
    const [file] = args.positionals as [string];
    const reports = runFile(file);
    for (const report of reports) printReport(args, report);
    const failed = reports.filter(({ result }) => result.outcome !== 'passed').length;
    if (!args.switches.has('json')) {
      print(`${reports.length} cases: ${reports.length - failed} passed, ${failed} failed`);
    }
    return Promise.resolve(failed === 0 ? exitCodes.success : exitCodes.failure);
  },
};

function runFile(file: string): readonly CaseReport[] {
  const content = readJson(readInput(file), file === '-' ? 'standard input' : file);
  return reportErrors(file, () => runCases(content));
}

function printReport(args: Arguments, { id, expression, result }: CaseReport): void {
  if (args.switches.has('json')) return print(JSON.stringify({ id, ...result }));
  switch (result.outcome) {
    case 'passed':
      if (args.switches.has('all')) print(`ok    ${id}`);
      return;
    case 'failed':
      print(`FAIL  ${id}: ${expression}\n      expected ${result.expected}\n      got      ${result.actual}`);
      return;
    case 'broken':
      print(`BAD   ${id}: ${result.reason}`);
  }
}

export const exprCommands: readonly Command[] = [check, explainCommand, formatCommand, test];
