import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../parse/parse.ts';
import { findConstant } from './constancy.ts';

function constancy(source: string): boolean | undefined {
  const parsed = parse(source, { lists: ['office'] });
  ok(parsed.ok, source);
  return findConstant(parsed.tree);
}

test('findConstant recognises expressions that are constant', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['true', true],
    ['false', false],
    ['not true', false],
    ['not (not false)', false],
    ['(false)', false],
    ['ssl and false', false],
    ['ssl or true', true],
    ['false or (http.host eq "a" and not true)', false],
    ['true xor true', false],
    ['true and not false', true],
    ['ssl and not ssl', false],
    ['http.host eq "a" or ssl or not http.host == "a"', true],
    ['http.host contains ""', true],
    ['not http.request.uri.path wildcard "*"', false],
    ['ip.src in {0.0.0.0/0 ::/0}', true],
    ['not ip.src in {::/0 0.0.0.0/0}', false],
  ];
  for (const [source, expected] of cases) equal(constancy(source), expected, source);
});

test('findConstant is undefined for expressions that depend on the request', () => {
  const sources = [
    'ssl',
    'not ssl',
    'ssl or false',
    'ssl and true',
    'ssl xor true',
    'ssl and not http.host eq "a"',
    'ip.src in $office',
    'not ip.src in $office',
    'ip.src in {0.0.0.0/0}',
    'http.request.headers["x"][0] contains ""',
    'any(http.request.headers["x"][*] wildcard "*")',
    'lower(http.host) contains ""',
    'http.host wildcard "*.example"',
    'http.host wildcard ""',
  ];
  for (const source of sources) equal(constancy(source), undefined, source);
});
