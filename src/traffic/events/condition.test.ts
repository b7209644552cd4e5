import { checkLinear, countWork } from '../../../tools/count-work.ts';
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { compileCondition, type EventCondition, type FieldOperator } from './condition.ts';
import { createEvent } from './testing.ts';

const event = createEvent('1', {
  action: 'block',
  clientRequestPath: '/admin/login.php',
  edgeResponseStatus: 403,
  datetime: '2026-03-01T12:00:00.000Z',
  clientIP: '192.0.2.7',
  userAgent: 'sqlmap/1.7',
});

function holds(condition: EventCondition): boolean {
  return compileCondition(condition)(event);
}

test('compileCondition compares a field with each operator', () => {
  const cases: readonly [field: string, FieldOperator, readonly (string | number)[], boolean][] = [
    ['action', 'eq', ['block'], true],
    ['action', 'neq', ['block'], false],
    ['action', 'in', ['log', 'block'], true],
    ['action', 'notin', ['log', 'block'], false],
    ['edgeResponseStatus', 'gt', [402], true],
    ['edgeResponseStatus', 'geq', ['403'], true],
    ['edgeResponseStatus', 'lt', [403], false],
    ['edgeResponseStatus', 'leq', [403], true],
    ['datetime', 'geq', ['2026-03-01T13:00:00+01:00'], true],
    ['datetime', 'lt', ['2026-03-01T12:00:00Z'], false],
    ['clientRequestPath', 'like', ['/ADMIN/%.php'], true],
    ['clientRequestPath', 'like', ['%login%'], true],
    ['clientRequestPath', 'like', ['login%'], false],
    ['clientRequestPath', 'like', ['/admin/login.php'], true],
    ['clientRequestPath', 'like', ['/admin/login.php%login.php'], false],
    ['clientRequestPath', 'notlike', ['%admin%'], false],
  ];
  for (const [field, operator, values, expected] of cases) {
    const condition = { kind: 'test', field, operator, values } as EventCondition;
    equal(holds(condition), expected, `${field} ${operator} ${values.join()}`);
  }
});

test('compileCondition combines with and, or and not', () => {
  const yes: EventCondition = { kind: 'test', field: 'action', operator: 'eq', values: ['block'] };
  const no: EventCondition = { kind: 'not', part: yes };
  equal(holds({ kind: 'and', parts: [yes, no] }), false);
  equal(holds({ kind: 'or', parts: [no, yes] }), true);
  equal(holds({ kind: 'not', part: { kind: 'or', parts: [no] } }), true);
});

test('compileCondition evaluates the rules language', () => {
  const asked = (expression: string): boolean => holds({ kind: 'expression', expression });
  equal(asked('ip.src in {192.0.2.0/24} and http.user_agent contains "sqlmap"'), true);
  equal(asked('starts_with(http.request.uri.path, "/admin/") and ssl and http.response.code eq 403'), true);
  equal(asked('http.host eq "other.example"'), false);
});

test('compileCondition looks for each part of a pattern once, whatever the text', () => {
  const like = (pieces: number): EventCondition => {
    const values = [`${'a%'.repeat(pieces)}b%a`];
    return { kind: 'test', field: 'userAgent', operator: 'like', values };
  };
  const long = createEvent('1', { userAgent: 'a'.repeat(100_000) });
  const ofPattern = (pieces: number): (() => void) => {
    const holdsFor = compileCondition(like(pieces));
    return () => equal(holdsFor(long), false);
  };
  checkLinear('pieces', ofPattern, [2_000, 16_000]);
  const ofText = (length: number): (() => void) => {
    const holdsFor = compileCondition(like(1_000));
    const event = createEvent('1', { userAgent: 'a'.repeat(length) });
    return () => equal(holdsFor(event), false);
  };
  equal(countWork(ofText(100_000)) <= countWork(ofText(10_000)) + 10, true);
});
